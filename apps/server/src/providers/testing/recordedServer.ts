import { text } from "node:stream/consumers";
import type { SocialProvider } from "@social-connect/contract";
import { serve } from "@social-connect/testkit";
import { afterEach, beforeAll } from "vitest";
import { createEgress } from "../../platform/network/egress.ts";
import type { RegistrationAccess } from "../contract.ts";
import { type ReplayAnswer, registration, replay } from "./replay.ts";

export let upstream: Awaited<ReturnType<typeof startRecordedServer>>;

export function useRecordedServer(): void {
  beforeAll(async () => {
    upstream = await startRecordedServer();
    return upstream.close;
  });
  afterEach(() => void upstream.takeRequests());
}

/** A provider's OAuth host on loopback that returns recorded responses, reached through the real egress. */
async function startRecordedServer() {
  const { fetch: answerTo, requests, waiting } = replay();
  const { url: origin, close } = await serve(async (request, response) => {
    const { method = "GET", headers, url = "/" } = request;
    const [body, list] = [await text(request), Object.entries(headers).map(([name, value]) => [name, String(value)])];
    const init = { method, headers: list as [string, string][], ...(method !== "GET" && { body }) };
    const answer = await answerTo(new URL(url, "http://recorded.test"), init).catch(() => null);
    if (answer === null) return void response.destroy();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const fetch = createEgress({ allowedOrigins: [origin], timeoutMs: 5_000 });
  const local = (address: string) => address.replace(/^https:\/\/[^/]+/, origin);
  return {
    /** Queues responses; each is returned once, in order. */
    answer: (...answers: ReplayAnswer[]) => void waiting.push(...answers),
    /** The requests since the last call, with form bodies as parameters. */
    takeRequests: () =>
      requests
        .splice(0)
        .map((request) => ({ ...request, form: Object.fromEntries(new URLSearchParams(request.body)) })),
    registration(provider: SocialProvider): RegistrationAccess {
      const access = registration(provider, fetch);
      const { authorization, token, revocation, api } = access.addresses;
      const moved = { authorization, token: local(token), api: local(api) };
      return { ...access, addresses: { ...moved, ...(revocation !== undefined && { revocation: local(revocation) }) } };
    },
    close,
  };
}
