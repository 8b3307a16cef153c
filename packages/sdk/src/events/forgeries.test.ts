/** Deliveries and forgeries, judged by `receiveEvent` and by the official library of Standard Webhooks alike. */
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { receiveEvent } from "../events.ts";
import { type Case, deliveryFor, FORGED, GENUINE, NOW, STRICTER } from "../testing/forgeries.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

async function ours(given: Case): Promise<string> {
  const { secret, ...request } = deliveryFor(given);
  return receiveEvent(request, secret).then(
    () => "accepted",
    (error: { readonly code: string }) => error.code,
  );
}

function official(given: Case): string {
  const { headers, body, secret } = deliveryFor(given);
  try {
    new Webhook(secret).verify(typeof body === "string" ? body : Buffer.from(body), headers);
    return "accepted";
  } catch {
    return "refused";
  }
}

describe("receiveEvent and the official library", () => {
  it.each(Object.entries(GENUINE))("accept an event %s", async (_, given) => {
    expect([await ours(given), official(given)]).toEqual(["accepted", "accepted"]);
  });

  it.each(Object.entries(FORGED))("refuse %s", async (_, [code, given]) => {
    expect([await ours(given), official(given)]).toEqual([code, "refused"]);
  });

  it.each(Object.entries(STRICTER))("differ: only receiveEvent refuses %s", async (_, [code, given]) => {
    expect([await ours(given), official(given)]).toEqual([code, "accepted"]);
  });
});
