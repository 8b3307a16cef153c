import { expect, test } from "vitest";
import { findSpells, type MinuteCount, type RateRule, type Spell } from "./spells.ts";

const START = Date.UTC(2026, 2, 10, 5, 30);
const RULE: RateRule = { windowMinutes: 10, leastTotal: 20, leastFailed: 5, rate: 0.1 };
const at = (minute: number) => new Date(START + minute * 60_000);
const time = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;

/** Ten calls a minute, of which `failed` fail and the others succeed. */
function minutes(from: number, until: number, failed: number, total = 10): MinuteCount[] {
  return Array.from({ length: until - from }, (_, index) => {
    return { at: at(from + index), failed, succeeded: total - failed, total };
  });
}

function spells(counts: readonly MinuteCount[], now: number, known: Spell | null = null) {
  return findSpells(counts, RULE, at(now), known).map(({ begunAt, lastSeenAt, endedAt, failed, total }) => {
    return [time(begunAt), time(lastSeenAt), time(endedAt), `${failed}/${total}`];
  });
}

test("begins with the first failure, continues with the rate since then, and ends with the first success after the last", () => {
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

test("silence ends nothing, and it ended with the first success after the last failure", () => {
  const failed = minutes(0, 5, 10);
  for (const now of [13, 14, 60, 30 * 60]) {
    expect(spells(failed, now)).toEqual([["05:30", "05:35", null, "50/50"]]);
  }
  const once = [...failed, ...minutes(60, 61, 0, 1)];
  expect(spells(once, 60)).toEqual([["05:30", "05:35", "06:30", "50/50"]]);
  const again = [...failed, ...minutes(60, 62, 10)];
  expect(spells(again, 62)).toEqual([["05:30", "06:32", null, "70/70"]]);
});

test("one whose calls all failed has ended when five have succeeded, a minute apart", () => {
  const looks = [...minutes(0, 30, 1, 1), ...minutes(30, 40, 0, 1)];
  expect(spells(looks, 33)).toEqual([["05:30", "06:00", null, "30/30"]]);
  expect(spells(looks, 34)).toEqual([["05:30", "06:00", "06:00", "30/30"]]);
  // Not at a lower rate, where so many in a row are chance.
  const some = [...minutes(0, 10, 4), ...minutes(10, 11, 0, 20)];
  expect(spells(some, 10)).toEqual([["05:30", "05:40", null, "40/100"]]);
});

test("what neither failed nor succeeded ends nothing", () => {
  const other = minutes(5, 60, 0).map((count) => ({ ...count, succeeded: 0 }));
  expect(spells([...minutes(0, 5, 10), ...other], 60)).toEqual([["05:30", "05:35", null, "50/50"]]);
});

test("failures since the last success count however far apart they are, and from the first", () => {
  const apart = [0, 60, 300].map((minute) => ({ at: at(minute), failed: 8, succeeded: 0, total: 8 }));
  expect(spells(apart, 60)).toEqual([]);
  expect(spells(apart, 301)).toEqual([["05:30", "10:31", null, "24/24"]]);
  const answered = [...apart, ...minutes(200, 201, 0)];
  expect(spells(answered, 301)).toEqual([]);
});

test("continues one that was found before, after its counts are gone, and does not find an ended one again", () => {
  const of = { begunAt: at(-2_000), lastSeenAt: at(-1_500), failed: 400, total: 500 };
  const known: Spell = { ...of, endedAt: null };
  const begun = time(of.begunAt);
  expect(spells([], 0, known)).toEqual([[begun, "04:30", null, "400/500"]]);
  expect(spells(minutes(0, 3, 10), 3, known)).toEqual([[begun, "05:33", null, "400/500"]]);
  expect(spells([...minutes(0, 3, 10), ...minutes(3, 5, 0)], 5, known)).toEqual([[begun, "05:33", "05:33", "400/500"]]);
  const failed = minutes(0, 5, 10);
  expect(spells(failed, 9, { ...of, begunAt: at(0), endedAt: at(5) })).toEqual([]);
  const found = findSpells(failed, RULE, at(6))[0] ?? null;
  expect(spells([...failed, ...minutes(6, 7, 1, 100)], 7, found)).toEqual([["05:30", "05:37", null, "51/150"]]);
});

test.each([
  ["1 of 2 calls", minutes(0, 1, 1, 2)],
  ["19 of 19 calls", minutes(0, 1, 19, 19)],
  ["4 failures", minutes(0, 1, 4, 20)],
  ["less than the rate", minutes(0, 30, 9, 100)],
  ["failures in windows that are too far apart", [0, 10, 20, 30].flatMap((minute) => minutes(minute, minute + 1, 9))],
  ["nothing", []],
])("%s start no incident", (_, counts) => {
  expect(spells(counts, 31)).toEqual([]);
});

test("was last seen at most now", () => {
  const now = new Date(at(4).getTime() + 20_000);
  expect(findSpells(minutes(0, 5, 10), RULE, now)).toMatchObject([{ lastSeenAt: now, endedAt: null }]);
});
