import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { FaultOptions } from "../control/faultsControl.ts";
import { ask, CONNECT, connectInput, post } from "../testing/post.ts";
import { TRANSPORT_NAMES, TRANSPORTS } from "../testing/targets.ts";
import { type ConsumerMock, createConsumerMock } from "./consumerMock.ts";

const STATUS = "{ status { ok } }";
const REDEEM = `mutation Redeem($id: ID!, $tenantKey: String!, $resultProof: String!) {
  redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $resultProof) { status }
}`;

/** What comes of a request: its status and body, or that there was no answer. */
async function outcome(answer: Promise<Response>): Promise<readonly [number | "none", string]> {
  try {
    const response = await answer;
    return [response.status, await response.text()];
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return ["none", ""];
  }
}

/** Each fault with the observable result and whether the operation had an effect. */
const FAULTS: readonly (readonly [FaultOptions, status: number | "none", body: RegExp, isDone: boolean])[] = [
  [{ code: "RATE_LIMITED" }, 200, /"code":"RATE_LIMITED","correlationId":"[0-9a-f-]{36}"\}/, false],
  [{ code: "RATE_LIMITED", retryAfterSeconds: 7 }, 200, /"retryAfterSeconds":7/, false],
  [{ code: "UPSTREAM_UNAVAILABLE", retryAfterSeconds: 0 }, 200, /"retryAfterSeconds":0/, false],
  [{ status: 503 }, 503, /Injected fault/, false],
  [{ status: 429 }, 429, /Injected fault/, false],
  [{ drop: "before" }, "none", /^$/, false],
  [{ drop: "after" }, "none", /^$/, true],
  [{ malformed: true }, 200, /^<!doctype html>/, true],
  [{ malformed: "not-json" }, 200, /^<!doctype html>/, true],
  [{ malformed: "truncated" }, 200, /^\{"data":[^}]*$/, true],
  [{ malformed: "empty" }, 200, /^$/, true],
  [{ malformed: "wrong-shape" }, 200, /^\{"data":42\}$/, true],
];

describe.each(TRANSPORT_NAMES)("by %s", (transport) => {
  test.each(FAULTS)("%j is played once, and is over", async (fault, status, body, isDone) => {
    const { mock, fetch, close } = await TRANSPORTS[transport]();
    onTestFinished(close);
    const connect = () => outcome(post(mock, CONNECT, connectInput(mock), { fetch }));
    mock.faults.next("createConnectSession", fault);
    expect(await outcome(post(mock, STATUS, {}, { fetch }))).toEqual([200, '{"data":{"status":{"ok":true}}}']);
    const before = mock.snapshot();
    const [seen, text] = await connect();
    expect([seen, body.test(text)], text).toEqual([status, true]);
    expect(before.includes('"connectAttempts":{"$map":[]}')).toBe(true);
    expect(mock.snapshot().includes('"connectAttempts":{"$map":[]}')).toBe(!isDone);
    expect((await connect())[1]).toContain('"launchToken":"');
    expect(mock.faults.list()).toEqual([]);
  });
});

test("a fault is played so many times, always, or by a chance that follows the seed", async () => {
  const ok = async (mock: ConsumerMock, count: number) => {
    const seen: boolean[] = [];
    for (let index = 0; index < count; index += 1) {
      seen.push((await outcome(post(mock, STATUS)))[0] === 200);
    }
    return seen;
  };
  const [mock, same, other] = [1, 1, 2].map((seed) => createConsumerMock({ seed })) as [
    ConsumerMock,
    ConsumerMock,
    ConsumerMock,
  ];
  const thrice = mock.faults.times(3, "status", { status: 500 });
  expect(await ok(mock, 2)).toEqual([false, false]);
  expect(thrice.left).toBe(1);
  expect(await ok(mock, 2)).toEqual([false, true]);
  const always = mock.faults.always("*", { status: 500 });
  expect(await ok(mock, 5)).not.toContain(true);
  always.remove();
  expect(await ok(mock, 1)).toEqual([true]);

  for (const one of [mock, same, other]) {
    one.reset();
    one.faults.chance(0.3, "status", { status: 500 });
  }
  const [first, second, third] = [await ok(mock, 200), await ok(same, 200), await ok(other, 200)];
  expect(second).toEqual(first);
  expect(third).not.toEqual(first);
  const failed = first.filter((isOk) => !isOk).length;
  expect([failed > 30, failed < 100]).toEqual([true, true]);
  mock.faults.clear();
  mock.faults.chance(0, "status", { status: 500 });
  expect(await ok(mock, 20)).not.toContain(false);
});

describe("time", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a delay lasts until the mock's clock has advanced", async () => {
    const mock = createConsumerMock();
    mock.faults.next("status", { delay: "20s" });
    let isAnswered = false;
    const answer = post(mock, STATUS).then((response) => {
      isAnswered = true;
      return response;
    });
    await mock.clock.advance("19s");
    expect([isAnswered, mock.clock.isWaitedFor]).toEqual([false, true]);
    await mock.clock.advance("1s");
    expect((await answer).status).toBe(200);
    expect(mock.clock.isWaitedFor).toBe(false);
  });

  test("a reset closes delayed requests, and an abort rejects immediately", async () => {
    const mock = createConsumerMock();
    mock.faults.always("status", { delay: "20s" });
    const waiting = outcome(post(mock, STATUS));
    const left = mock.fetch(`${mock.baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: STATUS }),
      signal: AbortSignal.abort(new Error("left")),
    });
    await expect(left).rejects.toThrow("left");
    await vi.waitFor(() => expect(mock.clock.isWaitedFor).toBe(true));
    mock.reset();
    expect(await waiting).toEqual(["none", ""]);
  });

  test("fake timers move a mock that goes by the machine's clock: deadlines, delays and jobs", async () => {
    vi.useFakeTimers({ now: new Date("2027-03-01T00:00:00Z") });
    const mock = createConsumerMock({ now: "system" });
    expect(mock.clock.date().toISOString()).toBe("2027-03-01T00:00:00.000Z");
    mock.faults.next("status", { delay: "20s" });
    const answer = post(mock, STATUS);
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await answer).status).toBe(200);

    const { data } = await ask<{ createConnectSession: { id: string } }>(mock, CONNECT, connectInput(mock));
    const attempt = mock.connect(data?.createConnectSession.id ?? "");
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(() => attempt.launch()).toThrow("overdue");
    await mock.clock.advance("30d");
    expect(mock.clock.date().toISOString()).toBe("2027-03-31T00:10:20.000Z");
    expect(vi.getTimerCount(), "nothing is left to run").toBe(0);
  });

  test("a mock sets no timers and never advances its clock automatically", async () => {
    vi.useFakeTimers();
    const mock = createConsumerMock();
    const { connectionId } = await mock.load("connected-with-content");
    const before = mock.clock.now();
    await post(mock, CONNECT, connectInput(mock));
    mock.connection(connectionId).disconnect();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([mock.clock.now() - before, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("the log", () => {
  test("records requests without keys, tokens and proofs", async () => {
    const mock = createConsumerMock();
    const { completed } = await mock.load("identity-sessions");
    const { tenantKey } = mock.scope;
    const { resultProof, id } = completed;
    const secret = mock.key.split(".")[1] ?? "";
    await post(mock, REDEEM, { id, tenantKey, resultProof });
    const inText = `mutation { redeemIdpIdentityResult(id: "${id}", tenantKey: "${mock.key}", resultProof: "${resultProof}") { status } }`;
    await post(mock, inText);
    await post(mock, `{ nonsense(value: "${secret}") }`, { [secret]: resultProof });
    mock.calls.assertCalled("redeemIdpIdentityResult", 2);
    mock.calls.assertCalledWith("redeemIdpIdentityResult", { id, resultProof: "[redacted]" });
    const overHttp = await (await mock.fetch(`${mock.baseUrl}/__mock/calls`)).text();
    for (const text of [JSON.stringify(mock.calls.all()), overHttp, mock.snapshot()]) {
      for (const hidden of [secret, resultProof]) expect(text.includes(hidden)).toBe(false);
    }
  });

  test("assertions fail with the recorded calls", async () => {
    const mock = createConsumerMock();
    await post(mock, STATUS);
    await post(mock, CONNECT, connectInput(mock));
    mock.calls.assertSequence(["status", "createConnectSession"]);
    mock.calls.assertNotCalled("content");
    mock.calls.assertAllOk();
    mock.calls.assertCalledWith("createConnectSession", { input: { scope: { tenantKey: "acme" } } });
    const seen = "Calls: status, createConnectSession.";
    expect(() => mock.calls.assertCalled("content")).toThrow(
      `content to be called at least once, but it was called 0 times. ${seen}`,
    );
    expect(() => mock.calls.assertCalled("status", 2)).toThrow(`2 times, but it was called 1 times. ${seen}`);
    expect(() => mock.calls.assertSequence(["status"])).toThrow(seen);
    expect(() => mock.calls.assertCalledWith("createConnectSession", { input: { provider: "PROVIDER_B" } })).toThrow(
      '"provider":"PROVIDER_A"',
    );
    mock.faults.next("status", { code: "UPSTREAM_UNAVAILABLE" });
    await post(mock, STATUS);
    expect(() => mock.calls.assertAllOk()).toThrow("status: UPSTREAM_UNAVAILABLE");
    expect([mock.calls.count(), mock.calls.last()?.outcome]).toEqual([3, "UPSTREAM_UNAVAILABLE"]);
    mock.calls.clear();
    expect(mock.calls.all()).toEqual([]);
  });
});
