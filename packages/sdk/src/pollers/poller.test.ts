import { TimeoutError } from "@social-connect/sdk-core";
import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import { describe, expect, expectTypeOf, it } from "vitest";
import { connectionLost, fakeClient, refusal } from "../testing/fakeApi.ts";
import { connectResult, job } from "../testing/samples.ts";

describe("wait", () => {
  it("polls until the end, reports each change once, and narrows the result type", async () => {
    const states = ["CREATED", "CREATED", "AUTHORIZING", "EXCHANGING", "COMPLETED"].map((status) =>
      connectResult(status),
    );
    const { api, user } = fakeClient({ connectSessionResult: states });
    const seen: string[] = [];
    const result = await user.connectResult("session-1").wait({ onProgress: (state) => seen.push(state.status) });
    expect(seen).toEqual(["CREATED", "AUTHORIZING", "EXCHANGING", "COMPLETED"]);
    expect(api.calls).toHaveLength(5);
    if (result.status !== "COMPLETED") expect.fail("the attempt was completed");
    expectTypeOf(result.connectionId).toEqualTypeOf<string>();
    expect(result.connectionId).toBe("connection-1");
  });

  it.each(["DENIED", "FAILED", "EXPIRED", "CANCELED"])("resolves with %s, which is not an error", async (status) => {
    const { user } = fakeClient({ connectSessionResult: connectResult(status, { resultCode: "USER_DENIED" }) });
    expect(await user.connectResult("session-1").wait()).toMatchObject({ status, resultCode: "USER_DENIED" });
  });

  it("rejects at its deadline with the last state", async () => {
    const { clock, user } = fakeClient({ connectSessionResult: connectResult("AUTHORIZING") });
    const waiting = user.connectResult("session-1").wait({ deadline: clock.at(60_000) });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError", lastStatus: "AUTHORIZING" });
    expect(clock.now()).toBe(clock.at(60_000).getTime());
  });

  it("sends nothing if its deadline has already passed", async () => {
    const { api, clock, user } = fakeClient({ syncJob: job("RUNNING") });
    await expect(user.job("c", "j").wait({ deadline: clock.at(-1) })).rejects.toBeInstanceOf(TimeoutError);
    expect(api.calls).toHaveLength(0);
  });

  it("rejects immediately with the caller's reason when it is aborted", async () => {
    const stop = new AbortController();
    const { api, user } = fakeClient({ syncJob: job("RUNNING") });
    const waiting = user.job("c", "j").wait({ signal: stop.signal, onProgress: () => stop.abort("enough") });
    await expect(waiting).rejects.toBe("enough");
    expect(api.calls).toHaveLength(1);
  });

  it("tolerates a limited number of failed polls", async () => {
    const lost = connectionLost();
    const recovering = fakeClient({ syncJob: [lost, lost, job("SUCCEEDED")] }, { retries: 0 });
    expect(await recovering.user.job("c", "j").wait()).toMatchObject({ status: "SUCCEEDED" });
    const broken = fakeClient({ syncJob: lost }, { retries: 0 });
    await expect(broken.user.job("c", "j").wait()).rejects.toMatchObject({ kind: "transport" });
    expect(broken.api.calls).toHaveLength(5);
  });

  it("stops polling when every request is rate limited", async () => {
    const { api, clock, user } = fakeClient({ syncJob: refusal("RATE_LIMITED", { retryAfterSeconds: 20 }) });
    await expect(user.job("c", "j").wait()).rejects.toMatchObject({ code: "RATE_LIMITED", operation: "syncJob" });
    expect(api.calls).toHaveLength(5 * 2);
    expect(Math.min(...clock.sleeps)).toBeGreaterThanOrEqual(20_000);
  });

  it("rejects with a permanent error", async () => {
    const { api, user } = fakeClient({ syncJob: [job("RUNNING"), refusal("NOT_FOUND")] });
    await expect(user.job("c", "j").wait()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(api.calls).toHaveLength(2);
  });

  it("rejects a COMPLETED attempt without a connection", async () => {
    const { user } = fakeClient({ connectSessionResult: connectResult("COMPLETED", { connectionId: null }) });
    await expect(user.connectResult("session-1").wait()).rejects.toMatchObject({ kind: "protocol" });
  });
});

describe("delays", () => {
  async function sleepsOver(states: readonly object[]) {
    const { clock, user } = fakeClient({ syncJob: [...states, job("SUCCEEDED")] });
    await user.job("c", "j").wait();
    return clock.sleeps;
  }

  it("grow while nothing changes and start over after a change", async () => {
    const running = job("RUNNING");
    const sleeps = await sleepsOver([running, running, running, job("QUEUED")]);
    expect(sleeps[1]).toBeGreaterThan(sleeps[0] ?? 0);
    expect(sleeps[2]).toBeGreaterThan(sleeps[1] ?? 0);
    expect(sleeps[3]).toBe(sleeps[0]);
  });

  it("have a maximum", async () => {
    const sleeps = await sleepsOver(Array.from({ length: 30 }, () => job("RUNNING")));
    expect(Math.max(...sleeps)).toBeLessThanOrEqual(12_000);
  });

  it("respect nextRetryAt", async () => {
    const clock = steppingClock();
    const [sleep] = await sleepsOver([job("QUEUED", { nextRetryAt: clock.at(120_000).toISOString() })]);
    expect(sleep).toBe(120_000);
  });

  it.each([
    ["equal", 0],
    ["a second behind", -1_000],
    ["ten minutes behind", -600_000],
    ["ten minutes ahead", 600_000],
    ["a day behind", -86_400_000],
    ["a day ahead", 86_400_000],
  ])("end within a second of nextRetryAt if the caller's clock is %s", async (_, aheadMs) => {
    for (const fractionMs of [0, 1, 499, 500, 999]) {
      const clock = steppingClock();
      const serviceMs = () => clock.now() - aheadMs + fractionMs;
      const waiting = job("QUEUED", { nextRetryAt: new Date(serviceMs() + 5_000).toISOString() });
      const states = [waiting, job("SUCCEEDED")];
      const answered = () =>
        Response.json(
          { data: { syncJob: states.shift() } },
          { headers: { date: new Date(serviceMs()).toUTCString() } },
        );
      const { user } = fakeClient({ syncJob: answered }, { clock });
      await user.job("c", "j").wait();
      expect(clock.sleeps).toHaveLength(1);
      expect(Math.abs((clock.sleeps[0] ?? 0) - 5_000)).toBeLessThanOrEqual(1_000);
    }
  });

  it.each(["yesterday", "0", "Sun, 99 Mar 2026 12:00:00 GMT", "2026-03-02"])(
    "use the caller's clock if the response's date is %j",
    async (date) => {
      const clock = steppingClock();
      const waiting = job("QUEUED", { nextRetryAt: clock.at(5_000).toISOString() });
      const answered = Response.json({ data: { syncJob: waiting } }, { headers: { date } });
      const { user } = fakeClient({ syncJob: [answered, job("SUCCEEDED")] }, { clock });
      await user.job("c", "j").wait();
      expect(clock.sleeps).toEqual([5_000]);
    },
  );

  it("back off for an unknown status", async () => {
    const sleeps = await sleepsOver(Array.from({ length: 10 }, () => job("PONDERING")));
    expect(sleeps[0]).toBeGreaterThanOrEqual(1_000);
    expect(sleeps.at(-1)).toBeGreaterThanOrEqual(45_000);
  });
});

describe("iteration", () => {
  it("yields each change and ends after the final state", async () => {
    const { user } = fakeClient({ syncJob: [job("QUEUED"), job("QUEUED"), job("RUNNING"), job("FAILED")] });
    const seen: string[] = [];
    for await (const state of user.job("c", "j")) seen.push(state.status);
    expect(seen).toEqual(["QUEUED", "RUNNING", "FAILED"]);
  });
});
