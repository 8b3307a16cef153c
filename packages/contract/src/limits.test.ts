import { expect, test } from "vitest";
import { LIMITS } from "./limits.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Written out, so that a changed limit fails a test. */
test("the limits have their specified values", () => {
  expect(LIMITS).toMatchObject({
    operationsPerRequest: 1,
    aliases: 8,
    depth: 8,
    cost: 100,
    costOfRootField: 10,
    costOfNestedField: 1,
    bodyBytes: 65_536,
    scopeStringMaxLength: 128,
    connectionsPageMax: 100,
    connectionsPageDefault: 20,
    contentPageMax: 50,
    windowSpanMs: 7_776_000_000,
    scanMaxItems: 100,
    scanMaxItemsDefault: 100,
    scanWindowDefaultMs: 604_800_000,
    lookupUrlMaxLength: 2_048,
    connectDeadlineMs: 600_000,
    connectResultReadableMs: 86_400_000,
    identityDeadlineMs: 600_000,
    identityResultReadableMs: 1_200_000,
    unfinishedConnectAttempts: 5,
    unfinishedIdentityAttempts: 20,
    inFlightReadJobs: 20,
    inFlightReadJobsRetryAfterSeconds: 60,
    disconnectRaceRetryAfterSeconds: 1,
    contentRetentionMs: 30 * DAY,
    profileRetentionMs: 30 * DAY,
    continuationCursorMs: DAY,
    jobReadableMs: 7 * DAY,
    activeApplicationKeys: 2,
    activeAdminKeys: 5,
    adminKeyLifetimeDays: { sandbox: 90, live: 30 },
    auditRetentionMs: 30 * DAY,
  });
});
