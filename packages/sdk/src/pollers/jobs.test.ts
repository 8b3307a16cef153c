import { describe, expect, it } from "vitest";
import { connectionLost, fakeClient, type RecordedCall, refusal, SCOPE } from "../testing/fakeApi.ts";
import { DISCONNECTED, job, WINDOW } from "../testing/samples.ts";
import type { SavedPoller } from "./saved.ts";

describe("a refresh", () => {
  it("is sent once, with the first poll, for any number of concurrent polls", async () => {
    const { api, user } = fakeClient({ requestRefresh: job("QUEUED"), syncJob: job("SUCCEEDED") });
    const refresh = user.refresh("c", { window: { ...WINDOW, maxItems: 50 } });
    expect({ calls: api.calls.length, id: refresh.id }).toEqual({ calls: 0, id: undefined });
    await Promise.all([refresh.poll(), refresh.start()]);
    await refresh.wait();
    expect(api.of("requestRefresh").map((call) => call.body.variables)).toEqual([
      { scope: SCOPE, connectionId: "c", window: { ...WINDOW, maxItems: 50 } },
    ]);
    expect(api.of("syncJob").map((call) => call.body.variables)).toEqual([
      { scope: SCOPE, connectionId: "c", id: "job-1" },
    ]);
  });

  it("accepts Dates and sends them in the format of the schema", async () => {
    const { api, user } = fakeClient({ requestRefresh: job("SUCCEEDED") });
    const window = {
      publishedAfter: new Date(WINDOW.publishedAfter),
      publishedBefore: new Date(WINDOW.publishedBefore),
    };
    await user.refresh("c", { window }).wait();
    expect(api.calls[0]?.body.variables.window).toEqual(WINDOW);
  });

  it("of one post's metrics sends the post and no window", async () => {
    const { api, user } = fakeClient({ requestRefresh: job("SUCCEEDED") });
    await user.refresh("c", { providerContentId: "p" }).wait();
    expect(api.calls[0]?.body.variables).toEqual({ scope: SCOPE, connectionId: "c", providerContentId: "p" });
  });

  it("can be started again after a failed start", async () => {
    const { api, user } = fakeClient({ requestRefresh: [refusal("SYNC_WINDOW_BUSY"), job("QUEUED")] });
    const refresh = user.refresh("c");
    await expect(refresh.start()).rejects.toMatchObject({ name: "SyncWindowBusyError" });
    expect(await refresh.start()).toBe("job-1");
    expect(await refresh.start()).toBe("job-1");
    expect(api.calls).toHaveLength(2);
  });

  it("waits until its deadline while another window is read", async () => {
    const busy = refusal("SYNC_WINDOW_BUSY");
    const patient = fakeClient({ requestRefresh: [...Array<Response>(9).fill(busy), job("SUCCEEDED")] });
    expect(await patient.user.refresh("c").wait()).toMatchObject({ status: "SUCCEEDED" });
    expect(patient.api.calls).toHaveLength(10);
    const hurried = fakeClient({ requestRefresh: busy });
    const waiting = hurried.user.refresh("c").wait({ deadline: hurried.clock.at(60_000) });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("scanAll continues from each cursor until the window is covered", async () => {
    const part = (cursor: string) => job("SUCCEEDED", { completeForWindow: false, continuationCursor: cursor });
    const { api, user } = fakeClient({
      requestRefresh: [job("QUEUED"), part("cursor-2"), job("SUCCEEDED", { completeForWindow: true })],
      syncJob: part("cursor-1"),
    });
    const summary = await user.refresh("c", { window: WINDOW }).scanAll();
    expect(summary).toMatchObject({ complete: true, last: { completeForWindow: true } });
    expect(summary.jobs).toHaveLength(3);
    const cursors = api.of("requestRefresh").map((call) => call.body.variables.continuationCursor);
    expect(cursors).toEqual([undefined, "cursor-1", "cursor-2"]);
  });

  it.each([undefined, { ...WINDOW, maxItems: 50 }])(
    "continues an incomplete scan from its cursor; window: %j",
    async (window) => {
      const part = job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor-2" });
      const { api, user } = fakeClient({ requestRefresh: [part, job("SUCCEEDED", { completeForWindow: true })] });
      const summary = await user.refresh("c", { window, continuationCursor: "cursor-1" }).scanAll();
      expect(summary).toMatchObject({ complete: true, window: window && WINDOW });
      expect(api.of("requestRefresh").map((call) => call.body.variables)).toEqual([
        { scope: SCOPE, connectionId: "c", continuationCursor: "cursor-1", ...(window && { window }) },
        { scope: SCOPE, connectionId: "c", continuationCursor: "cursor-2" },
      ]);
    },
  );

  it("scanAll, saved and resumed in another process, returns the same result without repeating a scan", async () => {
    const part = (id: string, cursor: string | null) =>
      job("SUCCEEDED", { id, completeForWindow: cursor === null, continuationCursor: cursor });
    const parts = [part("job-1", "cursor-1"), part("job-2", "cursor-2"), part("job-3", null)];
    const whole = fakeClient({ requestRefresh: parts });
    const expected = await whole.user.refresh("c", { window: WINDOW }).scanAll();

    const first = fakeClient({ requestRefresh: parts });
    const poller = first.user.refresh("c", { window: WINDOW });
    const onProgress = ({ id }: { id: string }) => {
      if (id === "job-2") throw new Error("the process ends");
    };
    await expect(poller.scanAll({ onProgress })).rejects.toThrow("the process ends");
    const saved: SavedPoller<"refresh"> = JSON.parse(JSON.stringify(poller));
    expect(saved).toMatchObject({ id: "job-1", continuations: ["job-2"] });

    const second = fakeClient({
      syncJob: ({ body }: RecordedCall) => parts.find(({ id }) => id === body.variables.id) ?? null,
      requestRefresh: part("job-3", null),
    });
    expect(await second.social.resume(saved).scanAll()).toEqual(expected);
    expect(second.api.of("requestRefresh").map((call) => call.body.variables.continuationCursor)).toEqual(["cursor-2"]);
  });

  it("scanAll ends at a failed job and at a repeated cursor", async () => {
    const part = job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor" });
    const failing = fakeClient({ requestRefresh: [part, job("FAILED", { errorCode: "UPSTREAM_UNAVAILABLE" })] });
    expect(await failing.user.refresh("c").scanAll()).toMatchObject({ complete: false, last: { status: "FAILED" } });
    const turning = fakeClient({ requestRefresh: part });
    expect(await turning.user.refresh("c").scanAll()).toMatchObject({ complete: false });
    expect(turning.api.calls).toHaveLength(2);
  });

  it("scanAll pauses between scans when a service always returns new cursors immediately", async () => {
    let count = 0;
    const endless = () => {
      count += 1;
      return job("SUCCEEDED", { id: `job-${count}`, completeForWindow: false, continuationCursor: `cursor-${count}` });
    };
    const { clock, user } = fakeClient({ requestRefresh: endless });
    const scanning = user.refresh("c").scanAll({ deadline: clock.at(60_000) });
    await expect(scanning).rejects.toMatchObject({ name: "TimeoutError" });
    expect(count).toBeLessThan(20);
  });

  it("concurrent calls of scanAll continue with the same scans", async () => {
    const part = job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor" });
    const { api, user } = fakeClient({
      requestRefresh: [part, job("SUCCEEDED", { completeForWindow: true })],
      syncJob: part,
    });
    const refresh = user.refresh("c");
    const [one, other] = await Promise.all([refresh.scanAll(), refresh.scanAll()]);
    expect({ one: one.complete, other: other.complete }).toEqual({ one: true, other: true });
    expect(api.of("requestRefresh")).toHaveLength(2);
  });
});

describe("a lookup", () => {
  it("returns the id of the post when it succeeded", async () => {
    const { user } = fakeClient({
      requestContentLookup: job("QUEUED"),
      syncJob: job("SUCCEEDED", { resultProviderContentId: "p" }),
    });
    const found = await user.lookup("c", "https://video.example/p").wait();
    expect(found.status === "SUCCEEDED" && found.resultProviderContentId.length).toBe(1);
  });

  it("is not started again if the first start may have been received", async () => {
    const { api, user } = fakeClient({ requestContentLookup: connectionLost() });
    await expect(user.lookup("c", "https://video.example/p").wait()).rejects.toMatchObject({ kind: "transport" });
    expect(api.calls).toHaveLength(1);
  });
});

describe("a disconnect", () => {
  it.each([
    [job("SUCCEEDED"), "revoked"],
    [job("FAILED", { errorCode: "REVOKE_REJECTED", creatorAction: "REMOVE_APP_AT_PROVIDER" }), "user-must-remove-app"],
    [job("FAILED", { errorCode: "UPSTREAM_UNAVAILABLE" }), "unknown"],
    [job("CANCELED"), "unknown"],
    // A required action of the user takes precedence over the status, and an unknown value is not a success.
    [job("SUCCEEDED", { creatorAction: "REMOVE_APP_AT_PROVIDER" }), "user-must-remove-app"],
    [job("SUCCEEDED", { creatorAction: "WRITE_A_LETTER" }), "unknown"],
    [refusal("NOT_FOUND"), "unknown"],
  ])("settles by its revoke receipt (%#: %s)", async (receipt, outcome) => {
    const { api, user } = fakeClient({ disconnectConnection: DISCONNECTED, syncJob: [job("QUEUED"), receipt] });
    const bye = await user.disconnect("connection-1");
    expect(await bye.settled()).toBe(outcome);
    expect(api.of("syncJob")[0]?.body.variables).toMatchObject({ connectionId: "connection-1", id: "revoke-1" });
  });

  it("uses the outcome of the disconnect once the receipt has expired", async () => {
    const answer = { ...DISCONNECTED, creatorAction: "REMOVE_APP_AT_PROVIDER" };
    const { user } = fakeClient({ disconnectConnection: answer, syncJob: refusal("NOT_FOUND") });
    expect(await (await user.disconnect("connection-1")).settled()).toBe("user-must-remove-app");
  });

  it("settles before its deadline, or rejects", async () => {
    const { user, clock } = fakeClient({ disconnectConnection: DISCONNECTED, syncJob: job("QUEUED") });
    const bye = await user.disconnect("connection-1");
    await expect(bye.settled({ deadline: clock.at(60_000) })).rejects.toMatchObject({ lastStatus: "QUEUED" });
  });

  it("has a poller for the erase receipt", async () => {
    const { api, user } = fakeClient({ disconnectConnection: DISCONNECTED, syncJob: job("SUCCEEDED") });
    const bye = await user.disconnect("connection-1");
    expect(await bye.erase.wait()).toMatchObject({ status: "SUCCEEDED" });
    expect(api.of("syncJob")[0]?.body.variables).toMatchObject({ id: "erase-1" });
  });
});

describe("resume", () => {
  it("continues from the JSON that another process saved", async () => {
    const first = fakeClient({
      requestRefresh: job("QUEUED"),
      requestContentLookup: job("QUEUED"),
      disconnectConnection: DISCONNECTED,
    });
    const refresh = first.user.refresh("c");
    const lookup = first.user.lookup("c", "https://video.example/p");
    await Promise.all([refresh.start(), lookup.start()]);
    const pollers = [
      first.user.connectResult("session-1"),
      refresh,
      lookup,
      first.user.job("c", "job-9"),
      await first.user.disconnect("connection-1"),
    ];
    const { social } = fakeClient({});
    for (const poller of pollers) {
      const text = JSON.stringify(poller);
      const saved: SavedPoller = JSON.parse(text);
      expect(JSON.stringify(social.resume(saved))).toBe(text);
    }
    const second = fakeClient({ syncJob: job("SUCCEEDED") });
    const saved = JSON.parse(JSON.stringify(refresh));
    await second.social.resume<"refresh">(saved).wait();
    expect(second.api.calls[0]?.body.variables).toEqual({ scope: SCOPE, connectionId: "c", id: "job-1" });
  });

  it("rejects JSON that is not a saved poller", () => {
    const { social, user } = fakeClient({});
    const unstarted = user.refresh("c").toJSON();
    const started = { ...unstarted, id: "job-1" };
    const others = [
      null,
      "text",
      [],
      { kind: "other" },
      { ...started, kind: "constructor" },
      { ...started, kind: "__proto__" },
    ];
    const mangled = [
      { ...started, scope: {} },
      { ...started, continuations: "job-2" },
      { ...started, continuations: [1] },
      { kind: "disconnect", scope: SCOPE, result: { ...DISCONNECTED, upstreamRevocationPending: "yes" } },
      { kind: "disconnect", scope: SCOPE, result: { ...DISCONNECTED, creatorAction: undefined } },
    ];
    for (const saved of [unstarted, ...others, ...mangled]) {
      expect(() => social.resume(saved as SavedPoller)).toThrow("saved poller");
    }
    expect(social.resume<"refresh">({ ...started, kind: "refresh" }).id).toBe("job-1");
  });
});
