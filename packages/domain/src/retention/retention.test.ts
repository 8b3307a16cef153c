import { expect, test } from "vitest";
import { DAY, MINUTE } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { isPastRetention, purgeBefore, RETENTION, type RetainedKind } from "./retention.ts";

const NOW = new Date("2026-03-31T12:00:00.000Z");

/** The retention period, and whether a record of exactly that age has expired. */
const EXPECTED: Record<RetainedKind, readonly [number, boolean]> = {
  content: [30 * DAY, false],
  profile: [30 * DAY, true],
  job: [7 * DAY, true],
  receipt: [7 * DAY, true],
  connectAttempt: [DAY, true],
  identityAttempt: [20 * MINUTE, true],
  importLine: [30 * DAY, true],
  auditEntry: [30 * DAY, true],
  event: [30 * DAY, true],
  dataDeletion: [90 * DAY, true],
};
const KINDS = Object.keys(RETENTION) as RetainedKind[];

test.each(KINDS)("a record of kind %s is retained as long as the description says", (kind) => {
  const [keepMs, pastAtItsEnd] = EXPECTED[kind];
  expect(isPastRetention(kind, addMs(NOW, 1 - keepMs), NOW)).toBe(false);
  expect(isPastRetention(kind, addMs(NOW, -keepMs), NOW)).toBe(pastAtItsEnd);
  expect(isPastRetention(kind, addMs(NOW, -1 - keepMs), NOW)).toBe(true);
});

test.each(KINDS)("the purge takes no record of kind %s that can still be read", (kind) => {
  const cut = purgeBefore(kind, NOW);
  for (const ms of [-1, 0, 1]) {
    const moment = addMs(cut, ms);
    const purged = moment.getTime() < cut.getTime();
    if (purged) expect(isPastRetention(kind, moment, NOW)).toBe(true);
  }
  expect(isPastRetention(kind, addMs(cut, -1), NOW)).toBe(true);
});
