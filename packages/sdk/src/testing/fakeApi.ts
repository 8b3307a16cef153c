import { operationIn } from "@social-connect/sdk-core/testing/replies";
import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import type { OperationName } from "../_generated/operations.ts";
import { SocialConnect } from "../client.ts";
import type { SocialConnectOptions } from "../wire/settings.ts";

export { connectionLost, notConnected, refusal } from "@social-connect/sdk-core/testing/replies";

export const BASE_URL = "https://sandbox.example.com";
/** A canary: no test may find its secret half anywhere but in an Authorization header. */
export const KEY = `11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
export const SCOPE = { tenantKey: "tenant-1", externalSubjectId: "user-1" };

export interface RecordedCall {
  readonly operation: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: { readonly query: string; readonly variables: Record<string, unknown> };
}

/** The reply of an operation: the value of its root field, a Response or a promise of one, or a network error. */
export type Reply = Response | Error | object | null;
export type Replies = {
  readonly [Operation in OperationName]?: Reply | readonly Reply[] | ((call: RecordedCall) => Reply);
};

/** A fake service: each operation returns the replies of its list in order, and repeats the last one. */
export function fakeApi(replies: Replies) {
  const calls: RecordedCall[] = [];
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    init?.signal?.throwIfAborted();
    const body: RecordedCall["body"] = JSON.parse(String(init?.body));
    const operation = operationIn(body.query);
    const call = { operation, url: String(url), headers: new Headers(init?.headers), body };
    const before = calls.filter((earlier) => earlier.operation === operation).length;
    calls.push(call);
    const scripted: unknown = Reflect.get(replies, operation);
    const reply =
      typeof scripted === "function"
        ? scripted(call)
        : Array.isArray(scripted)
          ? scripted[Math.min(before, scripted.length - 1)]
          : scripted;
    if (reply instanceof Error) throw reply;
    if (reply instanceof Promise) return reply;
    if (reply instanceof Response) return reply.clone();
    return Response.json({ data: { [operation]: reply } });
  };
  return { fetch, calls, of: (operation: OperationName) => calls.filter((call) => call.operation === operation) };
}

/** A client of a fake service, with a stepping clock and no jitter, so that delays can be asserted. */
export function fakeClient(replies: Replies, options: Partial<SocialConnectOptions> = {}) {
  const api = fakeApi(replies);
  const clock = steppingClock();
  const social = new SocialConnect({
    baseUrl: BASE_URL,
    key: KEY,
    fetch: api.fetch,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { api, clock, social, user: social.forSubject(SCOPE) };
}
