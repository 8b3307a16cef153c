import { SocialConnectError } from "@social-connect/sdk-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { OperationName } from "../_generated/operations.ts";
import { SocialConnect } from "../client.ts";
import {
  BASE_URL,
  connectionLost,
  fakeClient,
  KEY,
  notConnected,
  type Reply,
  refusal,
  SCOPE,
} from "../testing/fakeApi.ts";
import { OPERATION_CALLS, OPERATION_NAMES } from "../testing/operationCalls.ts";
import { type Again, FAILURES, NAMED_SECONDS, NO_ANSWER } from "../testing/retryTable.ts";
import { connection, job } from "../testing/samples.ts";

/** The effect of a second request of each operation, typed here again so that the client is checked against it. */
const EXPECTED: { readonly [Operation in OperationName]: "read" | "same" | "another" } = {
  status: "read",
  integrationReadiness: "read",
  connectSessionResult: "read",
  connection: "read",
  connections: "read",
  content: "read",
  contentItem: "read",
  syncJob: "read",
  requestRefresh: "same",
  disconnectConnection: "same",
  createConnectSession: "another",
  requestContentLookup: "another",
  createIdpIdentitySession: "another",
  redeemIdpIdentityResult: "another",
};

/** Delays before the second and the third request, with half of the largest pause. */
const DELAYS_MS: { readonly [Each in Again]: readonly number[] } = {
  never: [],
  pause: [125, 250],
  named: [NAMED_SECONDS * 1_000 + 125, NAMED_SECONDS * 1_000 + 250],
};

const SILENCE_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

async function requestsFor(operation: OperationName, replies: readonly Reply[], options = {}) {
  const { run } = OPERATION_CALLS[operation];
  const { api, clock, social, user } = fakeClient({ [operation]: replies }, options);
  const outcome: unknown = await run(social, user).catch((error: unknown) => error);
  return { requests: api.of(operation).length, failed: outcome instanceof SocialConnectError, sleeps: clock.sleeps };
}

describe.each(OPERATION_NAMES)("%s", (operation) => {
  const { good } = OPERATION_CALLS[operation];

  it.each(FAILURES)("after $name", async ({ reply, follows }) => {
    const isSilent = reply() === NO_ANSWER;
    if (isSilent) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const again = follows[EXPECTED[operation]];
    const sleeps = DELAYS_MS[again];
    const failed = again === "never";
    const outcome = requestsFor(operation, [reply(), reply(), good], { timeoutMs: SILENCE_MS });
    for (let request = 0; isSilent && request < 2; request += 1) await vi.advanceTimersByTimeAsync(SILENCE_MS);
    expect(await outcome).toEqual({ requests: sleeps.length + 1, failed, sleeps });
  });

  it("is never retried when the caller sets retries to 0", async () => {
    const outcome = await requestsFor(operation, [notConnected(), good], { retries: 0 });
    expect(outcome).toEqual({ requests: 1, failed: true, sleeps: [] });
  });

  it.each([[{}], [[]], ["text"], [7], [{ id: 1, items: {}, ok: "yes" }]])(
    "rejects the response %j",
    async (mangled) => {
      const { run } = OPERATION_CALLS[operation];
      const { social, user } = fakeClient({ [operation]: Response.json({ data: { [operation]: mangled } }) });
      const unexpected = { kind: "protocol", code: "UNEXPECTED_SHAPE", operation };
      await expect(run(social, user)).rejects.toMatchObject(unexpected);
    },
  );
});

describe("a requested delay", () => {
  const limited = refusal("RATE_LIMITED", { retryAfterSeconds: 60 });

  it("is respected if the deadline allows it", async () => {
    const { api, clock, user } = fakeClient({ requestRefresh: [limited, job("QUEUED")] });
    await user.refresh("c").start({ deadline: clock.at(120_000) });
    expect(api.of("requestRefresh")).toHaveLength(2);
    expect(clock.sleeps).toEqual([60_125]);
  });

  it("is a lower bound for any jitter", async () => {
    for (const random of [0, 0.999_999]) {
      const { sleeps } = await requestsFor(
        "disconnectConnection",
        [refusal("RATE_LIMITED", { retryAfterSeconds: 1 }), OPERATION_CALLS.disconnectConnection.good],
        { random: () => random },
      );
      expect(sleeps[0]).toBeGreaterThanOrEqual(1_000);
      expect(sleeps[0]).toBeLessThan(1_250);
    }
  });

  it.each(["requestRefresh", "requestContentLookup"] as const)("is respected by a wait for %s", async (operation) => {
    const found = job("SUCCEEDED", { resultProviderContentId: "p" });
    const { api, clock, user } = fakeClient({ [operation]: [limited, found] });
    const waited = operation === "requestRefresh" ? user.refresh("c") : user.lookup("c", "https://video.example/1");
    expect(await waited.wait()).toMatchObject({ status: "SUCCEEDED" });
    expect({ requests: api.calls.length, sleeps: clock.sleeps }).toEqual({ requests: 2, sleeps: [60_000] });
  });
});

describe("an invalid delay", () => {
  const named = (value: string) =>
    new Response("busy", { status: 503, headers: { "content-type": "text/plain", "retry-after": value } });
  const inError = (retryAfterSeconds: string) =>
    new Response(`{"errors":[{"extensions":{"code":"RATE_LIMITED","retryAfterSeconds":${retryAfterSeconds}}}]}`, {
      headers: { "content-type": "application/json" },
    });

  it.each([
    ["-5", named("-5")],
    ["a fraction", named("1.5")],
    ["a day without a time", named("2026-03-05")],
    ["words", named("soon, after 5 o'clock")],
    ["two values", named("5, 6")],
    ["-1 in the error", inError("-1")],
    ["a text in the error", inError('"5"')],
    ["more than a number can be in the error", inError("1e400")],
    ["null in the error", inError("null")],
  ])("is ignored: %s", async (_, failure) => {
    const { clock, user, api } = fakeClient({ connection: [failure, connection("c")] });
    await user.connection("c");
    expect({ requests: api.calls.length, sleeps: clock.sleeps }).toEqual({ requests: 2, sleeps: [125] });
  });

  it.each([
    ["a million years", named("31556952000000")],
    ["the year 9999", named("Fri, 31 Dec 9999 23:59:59 GMT")],
    ["1e12 in the error", inError("1e12")],
  ])("ends the call immediately when it is after the deadline: %s", async (_, failure) => {
    const { clock, user, api } = fakeClient({ connection: failure });
    await expect(user.connection("c")).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    expect({ requests: api.calls.length, sleeps: clock.sleeps }).toEqual({ requests: 1, sleeps: [] });
  });

  it.each([
    ["in the current format", "Sun, 01 Mar 2026 12:00:02 GMT"],
    ["in the obsolete format", "Sunday, 01-Mar-26 12:00:02 GMT"],
    ["in the asctime format", "Sun Mar  1 12:00:02 2026"],
  ])("compares a date, %s, with the caller's clock when the response has no Date header", async (_, date) => {
    const { clock, user } = fakeClient({ connection: [named(date), connection("c")] });
    await user.connection("c");
    expect(clock.sleeps).toEqual([2_125]);
  });
});

it("a clock that is set back affects neither delays nor events", async () => {
  const durations: number[] = [];
  const { api, clock } = fakeClient({ connection: [connectionLost(), connectionLost(), connection("c")] });
  let setBackMs = 0;
  const social = new SocialConnect({
    baseUrl: BASE_URL,
    key: KEY,
    fetch: (url, init) => {
      setBackMs += 3_600_000;
      return api.fetch(url, { ...init, headers: { ...init.headers } });
    },
    clock: { now: () => clock.now() - setBackMs, sleep: clock.sleep },
    random: () => 0.5,
    hooks: { onResponse: ({ durationMs }) => void durations.push(durationMs) },
  });
  await social.forSubject(SCOPE).connection("c");
  expect({ sleeps: clock.sleeps, durations }).toEqual({ sleeps: [125, 250], durations: [0, 0, 0] });
});

it("stops after the maximum number of retries with increasing delays, and throws the last error", async () => {
  const { api, clock, user } = fakeClient({ connection: connectionLost() }, { retries: 3, random: () => 0.999 });
  await expect(user.connection("c")).rejects.toMatchObject({ kind: "transport", mayHaveBeenSent: true });
  expect(api.calls).toHaveLength(4);
  expect(clock.sleeps).toHaveLength(3);
  expect([...clock.sleeps].sort((a, b) => a - b)).toEqual(clock.sleeps);
});

it("counts the time of retries towards the deadline, and skips a last delay that would exceed it", async () => {
  const { api, clock, user } = fakeClient({ connection: connectionLost() }, { retries: 9 });
  const options = { deadline: clock.at(1_000) };
  await expect(user.connection("c", options)).rejects.toMatchObject({ kind: "transport" });
  // 125 + 250 + 500 fit into a second, and 1,000 more do not.
  expect({ requests: api.calls.length, sleeps: clock.sleeps }).toEqual({ requests: 4, sleeps: [125, 250, 500] });
});

it("an abort ends every sleep, even if the clock ignores the signal", async () => {
  let stop = new AbortController();
  const clock = {
    now: () => 0,
    sleep: () => {
      queueMicrotask(() => stop.abort("gone"));
      return new Promise<void>(() => undefined);
    },
  };
  const replies = { connection: connectionLost(), syncJob: job("RUNNING"), requestRefresh: job("QUEUED") };
  const sleeps = [
    (signal: AbortSignal) => fakeClient(replies, { clock }).user.connection("c", { signal }),
    (signal: AbortSignal) => fakeClient(replies, { clock }).user.job("c", "j").wait({ signal }),
    (signal: AbortSignal) => fakeClient(replies, { clock }).user.refresh("c").scanAll({ signal }),
  ];
  for (const sleep of sleeps) {
    stop = new AbortController();
    await expect(sleep(stop.signal)).rejects.toBe("gone");
  }
});

it("an abort during a retry's delay ends the call with the caller's own reason", async () => {
  const stop = new AbortController();
  const hooks = { onRetry: () => stop.abort("changed my mind") };
  const { api, user } = fakeClient({ connection: connectionLost() }, { hooks });
  await expect(user.connection("c", { signal: stop.signal })).rejects.toBe("changed my mind");
  expect(api.calls).toHaveLength(1);
});
