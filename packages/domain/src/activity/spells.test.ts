import { expect, test } from "vitest";
import { findSpells, type MinuteCount, type RateRule } from "./spells.ts";

const START = Date.UTC(2026, 2, 10, 5, 30);
const RULE: RateRule = { windowMinutes: 10, leastTotal: 20, leastFailed: 5, rate: 0.1 };
const at = (minute: number) => new Date(START + minute * 60_000);
const time = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;

/** Ten calls a minute, of which `failed` fail. */
function minutes(from: number, until: number, failed: number, total = 10): MinuteCount[] {
  return Array.from({ length: until - from }, (_, index) => ({ at: at(from + index), failed, total }));
}

function spells(counts: readonly MinuteCount[], now: number) {
  return findSpells(counts, RULE, at(now)).map(({ begunAt, lastSeenAt, endedAt, failed, total }) => {
    return [time(begunAt), time(lastSeenAt), time(endedAt), `${failed}/${total}`];
  });
}

test("begins with the first failure, continues with the rate since then, and ends with the last failure", () => {
  const outage = [...minutes(0, 8, 0), ...minutes(8, 20, 3), ...minutes(20, 40, 0)];
  const until = (minute: number) => outage.filter((count) => count.at < at(minute));
  expect(spells(until(9), 9)).toEqual([]);
  expect(spells(until(12), 12)).toEqual([["05:38", "05:42", null, "12/40"]]);
  expect(spells(until(20), 20)).toEqual([["05:38", "05:50", null, "36/120"]]);
  // The rate of the last ten minutes falls below 5 %.
  expect(spells(outage, 40)).toEqual([["05:38", "05:50", "05:50", "36/120"]]);
});

test("continues with half of the rate, so that it does not begin and end by turns", () => {
  const wavering = [...minutes(0, 10, 2), ...minutes(10, 11, 0, 15), ...minutes(11, 30, 1, 15)];
  expect(spells(wavering, 30)).toEqual([["05:30", "06:00", null, "39/400"]]);
});

test("ends when nothing has failed for a window, also without any call", () => {
  const failed = minutes(0, 5, 10);
  expect(spells(failed, 13)).toEqual([["05:30", "05:35", null, "50/50"]]);
  expect(spells(failed, 14)).toEqual([["05:30", "05:35", "05:35", "50/50"]]);
  const again = [...failed, ...minutes(60, 62, 10)];
  expect(spells(again, 61)).toEqual([
    ["05:30", "05:35", "05:35", "50/50"],
    ["06:30", "06:31", null, "20/20"],
  ]);
});

test.each([
  ["1 of 2 calls", [{ at: at(0), failed: 1, total: 2 }]],
  ["19 of 19 calls", [{ at: at(0), failed: 19, total: 19 }]],
  ["4 failures", [{ at: at(0), failed: 4, total: 20 }]],
  ["less than the rate", minutes(0, 30, 9, 100)],
  [
    "failures in windows that are too far apart",
    [0, 10, 20, 30].map((minute) => ({ at: at(minute), failed: 10, total: 10 })),
  ],
  ["nothing", []],
])("%s start no incident", (_, counts) => {
  expect(spells(counts, 31)).toEqual([]);
});

test("was last seen at most now", () => {
  const now = new Date(at(4).getTime() + 20_000);
  expect(findSpells(minutes(0, 5, 10), RULE, now)).toMatchObject([{ lastSeenAt: now, endedAt: null }]);
});
