import type { JobErrorCode } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { HOUR, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import type { WaitReason } from "./job.ts";
import { canceledJob, decideReadOutcome, decideStart, decideWait, type ReadOutcome, scanResult } from "./outcome.ts";
import type { ProviderFault, RetriedJob } from "./retry.ts";

const scan: RetriedJob = { kind: "SCAN", background: false, failures: 0, createdAt: NOW };
const dates = {
  ...({ status: "CONNECTED", capabilities: ["PROFILE", "CONTENT_LIST"], refusals: {} } as const),
  ...{ nextScanAt: addMs(NOW, 5 * HOUR), nextProfileAt: null, unreadableSince: null },
  ...{ triedAt: NOW, lastSuccessfulSyncAt: NOW, profileObservedAt: NOW },
};
const faultOf = (kind: ProviderFault["kind"], over: Partial<ProviderFault> = {}): ProviderFault => ({
  kind,
  retryAfterSeconds: null,
  appRemoved: false,
  ...over,
});
const decide = (result: Parameters<typeof decideReadOutcome>[2], job: Partial<RetriedJob> = {}) =>
  decideReadOutcome({ ...scan, ...job }, dates, result, () => 0, NOW);
const interrupted = (kind: ProviderFault["kind"], over: Partial<ProviderFault> = {}) =>
  ({ outcome: "interrupted", fault: faultOf(kind, over) }) as const;
const failed = (errorCode: string, waitReason: WaitReason | null = null) => ({
  status: "FAILED",
  errorCode,
  nextRetryAt: null,
  waitReason,
  finishedAt: NOW,
});
const connection = (patch: object) => ({ type: "CHANGE_CONNECTION", patch: { ...patch, updatedAt: NOW } });

describe("starting a job", () => {
  const queued = {
    kind: "SCAN",
    status: "QUEUED",
    attempt: 2,
    failures: 1,
    startedAt: null,
    hasCursor: false,
  } as const;
  const CONNECTED = { status: "CONNECTED" };

  test("counts the attempt, restarts the coverage and shows the scan on its connection", () => {
    expect(decideStart(queued, CONNECTED, NOW)).toEqual({
      patch: {
        status: "RUNNING",
        attempt: 3,
        failures: 1,
        nextRetryAt: null,
        waitReason: null,
        startedAt: NOW,
        coveredSince: NOW,
      },
      followUps: [connection({ syncStatus: "RUNNING", scanErrorCode: null, nextRetryAt: null })],
    });
  });

  test("keeps the first start, and the coverage of a scan with progress", () => {
    const earlier = addMs(NOW, -HOUR);
    const { patch } = decideStart({ ...queued, startedAt: earlier, hasCursor: true }, CONNECTED, NOW) ?? {};
    expect(patch).toMatchObject({ startedAt: earlier });
    expect(patch).not.toHaveProperty("coveredSince");
  });

  test("counts a crashed worker as a failure", () => {
    expect(decideStart({ ...queued, status: "RUNNING" }, CONNECTED, NOW)).toMatchObject({ patch: { failures: 2 } });
  });

  test("does not start a finished job, and changes a connection only for a scan of a CONNECTED one", () => {
    expect(decideStart({ ...queued, status: "CANCELED" }, CONNECTED, NOW)).toBeNull();
    expect(decideStart(queued, { status: "SUSPENDED" }, NOW)).toMatchObject({ followUps: [] });
    expect(decideStart(queued, null, NOW)).toMatchObject({ followUps: [] });
    expect(decideStart({ ...queued, kind: "PROFILE" }, CONNECTED, NOW)).toMatchObject({ followUps: [] });
  });
});

describe("the outcome of a read", () => {
  test("a success resets the failures, and changes the connection of a scan or profile read", () => {
    const patch = {
      status: "SUCCEEDED",
      errorCode: null,
      nextRetryAt: null,
      waitReason: null,
      finishedAt: NOW,
      failures: 0,
    };
    const succeeded: ReadOutcome = { outcome: "succeeded" };
    expect(decide(succeeded, { kind: "METRICS" })).toEqual({ patch, followUps: [] });
    expect(decide(succeeded, { kind: "PROFILE" })).toEqual({ patch, followUps: [connection({ triedAt: NOW })] });
    const scanned = { triedAt: NOW, lastSuccessfulSyncAt: NOW, scanErrorCode: null, nextRetryAt: null };
    const ended = (incompleteReason: "MAX_ITEMS_REACHED" | null) =>
      decide({ outcome: "succeeded", scan: { incompleteReason, limit: null } });
    expect(ended(null)).toEqual({ patch, followUps: [connection({ ...scanned, syncStatus: "READY" })] });
    expect(ended("MAX_ITEMS_REACHED").followUps).toEqual([connection({ ...scanned, syncStatus: "PARTIAL" })]);
  });

  test.each([
    ["scope_missing", "CAPABILITY_UNAVAILABLE", "PERMISSION_MISSING"],
    ["rejected", "UPSTREAM_UNAVAILABLE", "CALLS_REFUSED"],
  ] as const)("%s fails the job with %s", (kind, errorCode, cause) => {
    expect(decide(interrupted(kind))).toEqual({
      patch: failed(errorCode),
      followUps: [
        connection({ syncStatus: "FAILED", scanErrorCode: errorCode, nextRetryAt: null, cause, causeSince: NOW }),
      ],
    });
    expect(decide(interrupted(kind), { kind: "LOOKUP" }).followUps).toEqual([]);
  });

  test("a revoked grant fails the job and requires a reconnect", () => {
    expect(decide(interrupted("grant_gone", { appRemoved: true }), { kind: "PROFILE" })).toEqual({
      patch: failed("RECONNECT_REQUIRED"),
      followUps: [{ type: "MARK_GRANT_REVOKED", appRemoved: true, code: "AUTHORIZATION_REMOVED" }],
    });
  });

  test.each([
    ["unavailable", "PROVIDER_UNAVAILABLE"],
    ["rate_limited", "RATE_LIMITED"],
    ["access_expired", "PROVIDER_UNAVAILABLE"],
  ] as const)("%s is retried, with the wait reason %s", (kind, waitReason) => {
    const at = addMs(NOW, 61_000);
    const waiting = { status: "QUEUED", nextRetryAt: at, waitReason, failures: 4 };
    const runJob = { type: "RUN_JOB", at };
    const result = interrupted(kind, { retryAfterSeconds: 60 });
    expect(decide(result, { failures: 3 })).toEqual({
      patch: waiting,
      followUps: [connection({ syncStatus: "FAILED", nextRetryAt: at, cause: waitReason, causeSince: NOW }), runJob],
    });
    expect(decide(result, { failures: 3, kind: "METRICS" })).toEqual({ patch: waiting, followUps: [runJob] });
    expect(decide({ ...result, observed: [1] }, { failures: 3 })).toMatchObject({ patch: { failures: 1 } });
  });

  test.each([
    ["unavailable", "UPSTREAM_UNAVAILABLE", "PROVIDER_UNAVAILABLE"],
    ["rate_limited", "UPSTREAM_RATE_LIMITED", "RATE_LIMITED"],
  ] as const)("%s without further retries fails the job with %s", (kind, errorCode, waitReason) => {
    expect(decide(interrupted(kind), { failures: 7 }).patch).toEqual(failed(errorCode, waitReason));
  });

  test("a long limit ends a background read, and the schedule reads after it", () => {
    const limit = interrupted("rate_limited", { retryAfterSeconds: 3_600 });
    const at = addMs(NOW, HOUR + 1_000);
    expect(decide(limit, { background: true })).toEqual({
      patch: { ...failed("UPSTREAM_RATE_LIMITED", "RATE_LIMITED"), nextRetryAt: at },
      followUps: [
        connection({
          ...{ syncStatus: "FAILED", scanErrorCode: "UPSTREAM_RATE_LIMITED", nextScanAt: at, nextRetryAt: at },
          ...{ cause: "RATE_LIMITED", causeSince: NOW },
        }),
      ],
    });
    expect(decide(limit, { background: true, kind: "PROFILE" }).followUps).toEqual([connection({ nextProfileAt: at })]);
    // Also a short one, of a read that has no more attempts.
    const short = interrupted("rate_limited", { retryAfterSeconds: 60 });
    const { patch, followUps } = decide(short, { background: true, kind: "PROFILE", failures: 7 });
    const shortly = addMs(NOW, 61_000);
    expect(patch).toEqual({ ...failed("UPSTREAM_RATE_LIMITED", "RATE_LIMITED"), nextRetryAt: shortly });
    expect(followUps).toEqual([connection({ nextProfileAt: shortly })]);
    expect(decide(short, { failures: 7 }).patch).toEqual(failed("UPSTREAM_RATE_LIMITED", "RATE_LIMITED"));
    expect(decide(limit).patch).toMatchObject({ status: "QUEUED", nextRetryAt: at });
  });

  test("a used-up quota does not count as a failure, and delays a read to the next window", () => {
    const quotaWindow = { start: NOW, endsAt: addMs(NOW, 60_000) };
    const limit = interrupted("rate_limited", { quotaWindow });
    expect(decide(limit, { failures: 3 }).patch).toMatchObject({
      nextRetryAt: addMs(NOW, 61_000),
      failures: 3,
      waitReason: "QUOTA",
    });
    expect(decide(limit, { createdAt: addMs(NOW, -48 * HOUR) }).patch).toEqual(
      failed("UPSTREAM_RATE_LIMITED", "QUOTA"),
    );
  });

  test.each([0, 0.5, 0.999])("background reads are spread over 20 minutes after a daily quota, with %d", (random) => {
    const quotaWindow = { start: addMs(NOW, -HOUR), endsAt: addMs(NOW, 60_000) };
    const limit = interrupted("rate_limited", { quotaWindow });
    const { patch } = decideReadOutcome({ ...scan, background: true }, dates, limit, () => random, NOW);
    const afterStart = (patch.nextRetryAt?.getTime() ?? 0) - quotaWindow.endsAt.getTime();
    expect(afterStart).toBe(1_000 + Math.floor((random * HOUR) / 3));
  });

  test.each([false, true])("a used-up share delays a read until it is free, with background %s", (background) => {
    const quotaWindow = { start: addMs(NOW, -HOUR), endsAt: addMs(NOW, 23 * HOUR) };
    const retryOf = (shareFreeAt: Date, random = 0) =>
      decideReadOutcome(
        { ...scan, background },
        dates,
        interrupted("rate_limited", { quotaWindow, shareFreeAt }),
        () => random,
        NOW,
      ).patch;
    const waiting = { status: "QUEUED", failures: 0, waitReason: "QUOTA" };
    expect(retryOf(addMs(NOW, 5 * HOUR))).toMatchObject({ ...waiting, nextRetryAt: addMs(NOW, 5 * HOUR) });
    expect(retryOf(addMs(NOW, 1))).toMatchObject({ ...waiting, nextRetryAt: addMs(NOW, 60_000) });
    const spread = background ? HOUR : 60_000;
    expect(retryOf(addMs(NOW, 5 * HOUR), 0.5)).toMatchObject({ nextRetryAt: addMs(NOW, 5 * HOUR + spread / 2) });
    expect(retryOf(addMs(quotaWindow.endsAt, -1), 0.5).nextRetryAt?.getTime()).toBeLessThanOrEqual(
      quotaWindow.endsAt.getTime() + HOUR,
    );
  });

  test("a share that is free only in the next window delays a read like a used-up budget", () => {
    const quotaWindow = { start: addMs(NOW, -HOUR), endsAt: addMs(NOW, 23 * HOUR) };
    const result = interrupted("rate_limited", { quotaWindow, shareFreeAt: quotaWindow.endsAt });
    const nextRetryAt = addMs(quotaWindow.endsAt, 1_000);
    expect(decide(result, { background: true }).patch).toEqual({
      ...failed("UPSTREAM_RATE_LIMITED", "QUOTA"),
      nextRetryAt,
    });
    expect(decide(result).patch).toMatchObject({ nextRetryAt });
  });

  test("a refused read fails with its code, and waits for a paused registration", () => {
    const refused = (errorCode: JobErrorCode) => decide({ outcome: "failed", errorCode }).patch;
    expect(refused("AUTHORIZATION_SUSPENDED")).toEqual(failed("AUTHORIZATION_SUSPENDED", "PAUSED"));
    expect(refused("CONTENT_NOT_FOUND")).toEqual(failed("CONTENT_NOT_FOUND"));
  });
});

describe("the result of a scan", () => {
  const post = { item: { providerContentId: "1", publishedAt: NOW, reason: null } };
  const result = (observed: (typeof post)[], fault: ProviderFault | null, itemsObserved = 2, background = false) =>
    scanResult({ itemsObserved, background }, { observed, incompleteReason: null, fault });
  const limit = faultOf("rate_limited");

  test("counts the posts of all its attempts", () => {
    expect(result([post], null)).toMatchObject({
      outcome: "succeeded",
      job: { itemsObserved: 3, completeForWindow: true, incompleteReason: null },
    });
  });

  test("is interrupted by a fault, and continues in the next attempt", () => {
    expect(result([post], faultOf("unavailable"))).toMatchObject({ outcome: "interrupted", job: { itemsObserved: 3 } });
    const limited = result([post], { ...limit, retryAfterSeconds: 60 }, 0);
    expect(limited).toMatchObject({ outcome: "interrupted", hasProgress: true });
    expect(decide(limited, { failures: 7 }).patch).toMatchObject({
      status: "QUEUED",
      failures: 1,
      nextRetryAt: addMs(NOW, 61_000),
    });
  });

  test("is a success without the whole window if the retries end at a limit after some posts", () => {
    const stopped = { completeForWindow: false, incompleteReason: "UPSTREAM_RATE_LIMITED" };
    const late = { failures: 7, createdAt: addMs(NOW, -48 * HOUR) };
    const limited = result([], limit);
    expect(limited.job).toMatchObject(stopped);
    expect(decide(limited, late)).toMatchObject({
      patch: { status: "SUCCEEDED" },
      followUps: [{ patch: { syncStatus: "PARTIAL", lastSuccessfulSyncAt: NOW } }],
    });
    // Control: nothing was listed.
    expect(decide(result([], limit, 0), late).patch).toMatchObject(failed("UPSTREAM_RATE_LIMITED", "RATE_LIMITED"));
  });

  test("is a success at a limit, and continued by the schedule, if no caller requested the scan", () => {
    const stopped = result([post], { ...limit, retryAfterSeconds: 60 }, 2, true);
    expect(stopped.outcome).toBe("succeeded");
    expect(decide(stopped, { background: true }).followUps).toMatchObject([
      { patch: { syncStatus: "PARTIAL", nextScanAt: addMs(NOW, 61_000) } },
    ]);
    expect(result([], limit, 0, true)).toMatchObject({ outcome: "interrupted", fault: limit });
  });
});

describe("an account that cannot be read", () => {
  const unreadable = interrupted("account_unreadable");
  const decideSince = (unreadableSince: Date | null, result: Parameters<typeof decideReadOutcome>[2] = unreadable) =>
    decideReadOutcome(scan, { ...dates, unreadableSince }, result, () => 0, NOW);

  test("is read again after an hour", () => {
    const { patch, followUps } = decideSince(null);
    expect(patch).toMatchObject({ status: "QUEUED", nextRetryAt: addMs(NOW, HOUR), failures: 0 });
    expect(followUps).toContainEqual(
      connection({
        ...{ syncStatus: "FAILED", nextRetryAt: addMs(NOW, HOUR), unreadableSince: NOW },
        ...{ cause: "ACCOUNT_UNREADABLE", causeSince: NOW },
      }),
    );
    const since = addMs(NOW, -HOUR / 2);
    expect(decideSince(since).patch.nextRetryAt).toEqual(addMs(since, HOUR));
  });

  test("needs a reconnect when the provider confirms it an hour later", () => {
    const { patch, followUps } = decideSince(addMs(NOW, -HOUR));
    expect(patch).toEqual(failed("RECONNECT_REQUIRED"));
    expect(followUps).toContainEqual({ type: "MARK_GRANT_REVOKED", appRemoved: false, code: "ACCOUNT_UNREADABLE" });
  });

  test("is readable again after any read that succeeds", () => {
    const { followUps } = decideSince(addMs(NOW, -HOUR), { outcome: "succeeded" });
    expect(followUps).toMatchObject([{ patch: { unreadableSince: null } }]);
  });
});

test("a refused application is retried like an outage", () => {
  expect(decide(interrupted("application_refused")).patch).toMatchObject({ status: "QUEUED", failures: 1 });
  expect(decide(interrupted("application_refused"), { failures: 7 }).patch).toMatchObject({
    errorCode: "UPSTREAM_UNAVAILABLE",
  });
});

test("a wait queues the job, and runs it at its time", () => {
  const waitReason = "BEHIND_OTHER_WORK";
  expect(decideWait({ kind: "ERASE" }, { at: NOW, failures: 0, waitReason }, NOW)).toEqual({
    patch: { status: "QUEUED", nextRetryAt: NOW, waitReason, failures: 0 },
    followUps: [{ type: "RUN_JOB", at: NOW }],
  });
});

test("a disconnect cancels a job", () => {
  expect(canceledJob(NOW)).toEqual({
    status: "CANCELED",
    errorCode: "DISCONNECTED",
    nextRetryAt: null,
    waitReason: null,
    finishedAt: NOW,
  });
});
