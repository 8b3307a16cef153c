import { SocialConnectError } from "@social-connect/sdk-core";
import { connectionLost, jsonText, notConnected, proxyPage, refusal } from "@social-connect/sdk-core/testing/replies";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type OperationName, REPEATING } from "../_generated/operations.ts";
import type { Fault } from "../testing/fakeAdmin.ts";
import { callOperation, changeableShop } from "../testing/operationCalls.ts";

const NAMES = Object.keys(REPEATING) as OperationName[];

/** The number of requests after such a failure, and the minimum delay before the second, in milliseconds. */
interface Row {
  readonly failure: string;
  readonly fault: () => Fault;
  readonly read: readonly [requests: number, delayMs?: number];
  readonly write: readonly [requests: number, delayMs?: number];
}

const html = (status: number, headers = {}): Fault => ({ reply: () => proxyPage(status, headers) });
const json = (text: string): Fault => ({ reply: () => jsonText(text) });
const code = (name: string, extensions = {}): Fault => ({ reply: () => refusal(name, extensions) });

/** The retries by failure and kind of operation. */
const TABLE: readonly Row[] = [
  { failure: "not sent", fault: () => ({ before: notConnected }), read: [2, 0], write: [2, 0] },
  { failure: "dropped after it was sent", fault: () => ({ after: connectionLost }), read: [2, 0], write: [1] },
  { failure: "429 without seconds", fault: () => html(429), read: [2, 0], write: [2, 0] },
  { failure: "429 with seconds", fault: () => html(429, { "retry-after": "7" }), read: [2, 7_000], write: [2, 7_000] },
  {
    failure: "429 with more seconds than the call has",
    fault: () => html(429, { "retry-after": "60" }),
    read: [1],
    write: [1],
  },
  { failure: "500", fault: () => html(500), read: [2, 0], write: [1] },
  { failure: "501", fault: () => html(501), read: [1], write: [1] },
  { failure: "503 with seconds", fault: () => html(503, { "retry-after": "2" }), read: [2, 2_000], write: [1] },
  { failure: "a redirect", fault: () => html(307, { location: "/elsewhere" }), read: [1], write: [1] },
  { failure: "404", fault: () => html(404), read: [1], write: [1] },
  { failure: "413", fault: () => html(413), read: [1], write: [1] },
  { failure: "an HTML page", fault: () => html(200), read: [1], write: [1] },
  { failure: "a cut body", fault: () => json('{"data":{'), read: [2, 0], write: [1] },
  { failure: "not JSON", fault: () => json("true"), read: [1], write: [1] },
  { failure: "data of another shape", fault: () => json('{"data":{"adminClient":7}}'), read: [1], write: [1] },
  { failure: "UPSTREAM_UNAVAILABLE", fault: () => code("UPSTREAM_UNAVAILABLE"), read: [2, 0], write: [1] },
  { failure: "an error without a code", fault: () => json('{"errors":[{"message":"no"}]}'), read: [2, 0], write: [1] },
  { failure: "ROW_BUSY", fault: () => code("CONFLICT", { reason: "ROW_BUSY" }), read: [1], write: [2, 0] },
  { failure: "CONFLICT", fault: () => code("CONFLICT", { reason: "LAST_ORIGIN" }), read: [1], write: [1] },
  { failure: "UNAUTHENTICATED", fault: () => code("UNAUTHENTICATED"), read: [1], write: [1] },
  { failure: "FORBIDDEN", fault: () => code("FORBIDDEN"), read: [1], write: [1] },
  { failure: "BAD_USER_INPUT", fault: () => code("BAD_USER_INPUT"), read: [1], write: [1] },
  { failure: "NOT_FOUND", fault: () => code("NOT_FOUND"), read: [1], write: [1] },
  { failure: "an unknown code", fault: () => code("SOMETHING_NEW"), read: [1], write: [1] },
];

afterEach(() => {
  vi.useRealTimers();
});

describe.each(NAMES)("%s", (operation) => {
  const kind = REPEATING[operation];

  it.each(TABLE)("after $failure", async (row) => {
    const { api, admin, clock } = changeableShop();
    const [requests, delayMs] = row[kind];
    api.fail(operation, row.fault());
    await callOperation(operation, admin).catch((error: unknown) => expect(error).toBeInstanceOf(SocialConnectError));
    expect(api.of(operation)).toHaveLength(requests);
    if (delayMs !== undefined) expect(clock.sleeps[0]).toBeGreaterThanOrEqual(delayMs);
    if (requests === 2) expect(clock.sleeps[0]).toBeLessThan((delayMs ?? 0) + 250);
  });

  it("after a timeout", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { api, admin } = changeableShop({ timeoutMs: 10_000 });
    api.fail(operation, { before: () => new Promise(() => undefined) });
    const ending = callOperation(operation, admin).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    await ending;
    expect(api.of(operation)).toHaveLength(kind === "read" ? 2 : 1);
  });

  it("is never retried with retries set to 0", async () => {
    const { api, admin } = changeableShop({ retries: 0 });
    api.fail(operation, { before: notConnected });
    await expect(callOperation(operation, admin)).rejects.toMatchObject({ mayHaveBeenSent: false, operation });
    expect(api.of(operation)).toHaveLength(1);
  });

  it("is sent at most three times, with increasing delays, and ends with the last error", async () => {
    const { api, admin, clock } = changeableShop({ random: () => 0.999 });
    api.fail(operation, ...Array(9).fill({ before: notConnected }));
    await expect(callOperation(operation, admin)).rejects.toMatchObject({ systemCode: "ECONNREFUSED" });
    expect(api.of(operation)).toHaveLength(3);
    expect(clock.sleeps).toHaveLength(2);
    expect(clock.sleeps[1]).toBeGreaterThan(clock.sleeps[0] ?? 0);
  });
});
