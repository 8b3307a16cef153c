import { JOB_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import {
  isCancelable,
  isContinuable,
  isInFlight,
  isReceipt,
  JOB_KINDS,
  JOB_TRANSITIONS,
  type JobEvent,
  type JobRow,
  jobAsRead,
  jobIsReadable,
  moveJob,
} from "./job.ts";

const EVENTS = Object.keys(JOB_TRANSITIONS) as JobEvent[];

/** Every move there is, written out. All others must be refused. */
const MOVES: readonly (readonly [JobEvent, string, string])[] = [
  ["STARTED", "QUEUED", "RUNNING"],
  ["TAKEN_OVER", "RUNNING", "RUNNING"],
  ["SUCCEEDED", "RUNNING", "SUCCEEDED"],
  ["FAILED", "RUNNING", "FAILED"],
  ["RETRY_LATER", "RUNNING", "QUEUED"],
  ["CANCELED", "QUEUED", "CANCELED"],
  ["CANCELED", "RUNNING", "CANCELED"],
];

test.each(JOB_STATUSES.flatMap((status) => EVENTS.map((event) => [event, status] as const)))(
  "%s in %s",
  (event, status) => {
    expect(moveJob(status, event)).toBe(MOVES.find(([name, from]) => name === event && from === status)?.[2] ?? null);
  },
);

test("a job is in flight while QUEUED or RUNNING", () => {
  expect(JOB_STATUSES.filter(isInFlight)).toEqual(["QUEUED", "RUNNING"]);
});

test("receipts are revoke and erase, and these two are never canceled", () => {
  expect(JOB_KINDS.filter(isReceipt)).toEqual(["REVOKE", "ERASE"]);
  expect(JOB_KINDS.filter((kind) => !isCancelable(kind))).toEqual(["REVOKE", "ERASE"]);
});

describe("reading a job", () => {
  const createdAt = addMs(NOW, -30 * DAY);

  test.each(["SCAN", "METRICS", "LOOKUP"] as const)(
    "shows a %s while it is in flight and for 7 days after its end",
    (kind) => {
      expect(jobIsReadable({ kind, createdAt, finishedAt: null }, NOW)).toBe(true);
      expect(jobIsReadable({ kind, createdAt, finishedAt: addMs(NOW, 1 - 7 * DAY) }, NOW)).toBe(true);
      expect(jobIsReadable({ kind, createdAt, finishedAt: addMs(NOW, -7 * DAY) }, NOW)).toBe(false);
      expect(jobIsReadable({ kind, createdAt, finishedAt: addMs(NOW, -1 - 7 * DAY) }, NOW)).toBe(false);
    },
  );

  test.each(["REVOKE", "ERASE"] as const)(
    "shows a %s receipt for 7 days after its creation, finished or not",
    (kind) => {
      for (const finishedAt of [null, NOW]) {
        expect(jobIsReadable({ kind, createdAt: addMs(NOW, 1 - 7 * DAY), finishedAt }, NOW)).toBe(true);
        expect(jobIsReadable({ kind, createdAt: addMs(NOW, -7 * DAY), finishedAt }, NOW)).toBe(false);
      }
    },
  );

  /** Everything set, so that what is shown is the rule's choice. */
  const full: JobRow = {
    kind: "SCAN",
    status: "SUCCEEDED",
    nextRetryAt: NOW,
    errorCode: "UPSTREAM_UNAVAILABLE",
    creatorAction: "REMOVE_APP_AT_PROVIDER",
    resultProviderContentId: "post-1",
    completeForWindow: false,
    incompleteReason: "MAX_ITEMS_REACHED",
    continuationCursor: "cursor",
    createdAt: NOW,
    finishedAt: NOW,
  };
  const shown = (over: Partial<JobRow>, at = NOW) => {
    const { kind, status, createdAt, finishedAt, ...fields } = jobAsRead({ ...full, ...over }, at) ?? full;
    return Object.keys(fields)
      .filter((name) => fields[name as keyof typeof fields] !== null)
      .sort();
  };

  test("shows a scan's outcome and cursor after it succeeded", () => {
    expect(shown({})).toEqual(["completeForWindow", "continuationCursor", "incompleteReason"]);
    expect(shown({ completeForWindow: true })).toEqual(["completeForWindow", "incompleteReason"]);
  });

  test("shows a lookup's post and its reason after it succeeded", () => {
    expect(shown({ kind: "LOOKUP" })).toEqual(["incompleteReason", "resultProviderContentId"]);
    expect(shown({ kind: "LOOKUP", status: "FAILED" })).toEqual(["errorCode"]);
  });

  test("shows nextRetryAt only while it waits, and an error only at the end", () => {
    expect(shown({ status: "QUEUED", finishedAt: null })).toEqual(["nextRetryAt"]);
    expect(shown({ status: "RUNNING", finishedAt: null })).toEqual([]);
    expect(shown({ status: "FAILED" })).toEqual(["errorCode"]);
    expect(shown({ status: "CANCELED" })).toEqual(["errorCode"]);
  });

  test("shows a creatorAction on revoke receipts only", () => {
    expect(shown({ kind: "REVOKE", status: "FAILED" })).toEqual(["creatorAction", "errorCode"]);
    expect(shown({ kind: "ERASE", status: "SUCCEEDED" })).toEqual([]);
  });

  test("drops the cursor 24 hours after the scan ended", () => {
    expect(shown({}, addMs(NOW, DAY - 1))).toContain("continuationCursor");
    expect(shown({}, addMs(NOW, DAY))).not.toContain("continuationCursor");
  });

  test("is hidden after its retention", () => {
    expect(jobAsRead(full, addMs(NOW, 7 * DAY - 1))).not.toBeNull();
    expect(jobAsRead(full, addMs(NOW, 7 * DAY))).toBeNull();
  });
});

test("only a successful scan that did not cover its window can be continued", () => {
  const scan = { kind: "SCAN", status: "SUCCEEDED", completeForWindow: false, finishedAt: NOW } as const;
  expect(isContinuable(scan, NOW)).toBe(true);
  expect(isContinuable({ ...scan, completeForWindow: true }, NOW)).toBe(false);
  expect(isContinuable({ ...scan, completeForWindow: null }, NOW)).toBe(false);
  expect(isContinuable({ ...scan, status: "FAILED" }, NOW)).toBe(false);
  expect(isContinuable({ ...scan, kind: "LOOKUP" }, NOW)).toBe(false);
  expect(isContinuable({ ...scan, finishedAt: null }, NOW)).toBe(false);
});
