import { text } from "node:stream/consumers";
import type { SocialProvider } from "@social-connect/contract";
import { serve } from "@social-connect/testkit";
import { afterAll, afterEach, beforeAll } from "vitest";
import { createEgress } from "../../platform/network/egress.ts";
import type { RegistrationAccess } from "../contract.ts";
import { providerAdapter } from "../registry/registry.ts";
import { type RecordedRequest, type ReplayAnswer, registration } from "./replay.ts";

type FormRequest = Omit<RecordedRequest, "redirect"> & { readonly form: Readonly<Record<string, string>> };

export let upstream: Awaited<ReturnType<typeof startRecordedServer>>;

export function useRecordedServer(): void {
  beforeAll(async () => {
    upstream = await startRecordedServer();
  });
  afterEach(() => void upstream.takeRequests());
  afterAll(() => upstream.close());
}

/** A provider's OAuth host on loopback that returns recorded responses, reached through the real egress. */
async function startRecordedServer() {
  const waiting: ReplayAnswer[] = [];
  let requests: FormRequest[] = [];
  const { url: origin, close } = await serve(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url ?? "/", "http://recorded.test");
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const form = Object.fromEntries(new URLSearchParams(body));
    requests.push({ method: request.method ?? "", url, headers, body, form });
    const answer = waiting.shift() ?? { status: 599, body: "no response left" };
    if (answer.fails !== undefined) return void response.destroy();
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  const fetch = createEgress({ allowedOrigins: [origin], timeoutMs: 5_000 });
  const local = (address: string) => address.replace(/^https:\/\/[^/]+/, origin);
  return {
    /** Queues responses; each is returned once, in order. */
    answer: (...answers: ReplayAnswer[]) => void waiting.push(...answers),
    /** The requests since the last call, with form bodies as parameters. */
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    registration(provider: SocialProvider): RegistrationAccess {
      const { addresses, scopes } = providerAdapter(provider).publicApi;
      const { authorization, token, revocation, api } = addresses;
      const moved = {
        authorization,
        token: local(token),
        ...(revocation !== undefined && { revocation: local(revocation) }),
        api: local(api),
      };
      return registration({ addresses: moved, scopes }, fetch);
    },
    close,
  };
}
