import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMs } from "../time/time.ts";
import { mayTakeUnit, quotaShare, type SharedBudget, unitFreeAt } from "./quotaShares.ts";
import type { QuotaWindow } from "./quotaWindow.ts";

const HOUR = 3_600_000;
const DAY: QuotaWindow = { start: new Date("2026-03-10T00:00:00Z"), endsAt: new Date("2026-03-11T00:00:00Z") };
const START = DAY.start;
const LAST = addMs(DAY.endsAt, -1);
const lone: SharedBudget = { limit: 100, total: 0, own: 0, others: [], newcomers: false };
const used = (own: number, others: readonly number[], newcomers = false): SharedBudget => ({
  ...lone,
  total: others.reduce((sum, units) => sum + units, own),
  own,
  others,
  newcomers,
});

test.each([
  [100, 1, false, 100],
  [100, 1, true, 50],
  [100, 3, false, 33],
  [100, 3, true, 25],
  [2, 3, false, 0],
] as const)("the share of %d units with %d applications and newcomers %s is %d", (limit, applications, more, share) => {
  expect(quotaShare(limit, applications, more)).toBe(share);
});

describe("an application that asks for a unit", () => {
  test("gets the whole budget if no other is served", () => {
    expect(mayTakeUnit(used(99, []), DAY, START)).toBe(true);
    expect(mayTakeUnit(used(100, []), DAY, LAST)).toBe(false);
  });

  test("gets its share although another has used as much as it could", () => {
    expect(mayTakeUnit(used(0, [95]), DAY, LAST)).toBe(true);
    expect(mayTakeUnit(used(4, [95]), DAY, LAST)).toBe(true);
    expect(mayTakeUnit(used(5, [95]), DAY, LAST)).toBe(false);
  });

  test("borrows only what the others' shares leave, and more as the window passes", () => {
    expect(mayTakeUnit(used(50, [0]), DAY, START)).toBe(false);
    expect(mayTakeUnit(used(50, [1]), DAY, START)).toBe(false);
    expect(mayTakeUnit(used(74, [0]), DAY, addMs(START, 12 * HOUR))).toBe(true);
    expect(mayTakeUnit(used(75, [0]), DAY, addMs(START, 12 * HOUR))).toBe(false);
    expect(mayTakeUnit(used(94, [0]), DAY, LAST)).toBe(true);
    expect(mayTakeUnit(used(95, [0]), DAY, LAST)).toBe(false);
  });

  test("borrows what is left over from rounding down the shares", () => {
    expect(mayTakeUnit(used(33, [33, 33]), DAY, START)).toBe(true);
    expect(mayTakeUnit(used(34, [33, 33]), DAY, START)).toBe(false);
  });

  test("leaves one share for all newcomers together", () => {
    expect(mayTakeUnit(used(49, [], true), DAY, START)).toBe(true);
    expect(mayTakeUnit(used(50, [], true), DAY, START)).toBe(false);
    expect(mayTakeUnit(used(94, [], true), DAY, LAST)).toBe(true);
    expect(mayTakeUnit(used(95, [], true), DAY, LAST)).toBe(false);
  });

  test("leaves whole units of a tiny share: all of them early in the window, and one at its end", () => {
    const tiny = (own: number) => ({ ...used(own, [], true), limit: 5 });
    expect(mayTakeUnit(tiny(2), DAY, START)).toBe(true);
    expect(mayTakeUnit(tiny(3), DAY, addMs(START, 12 * HOUR - 1))).toBe(false);
    expect(mayTakeUnit(tiny(3), DAY, addMs(START, 12 * HOUR))).toBe(true);
    expect(unitFreeAt(tiny(3), DAY, START)).toEqual(addMs(START, 12 * HOUR));
    expect(mayTakeUnit(tiny(4), DAY, LAST)).toBe(false);
    expect(mayTakeUnit({ ...tiny(0), limit: 1 }, DAY, START)).toBe(true);
  });

  test("takes turns if there are fewer units than applications", () => {
    const few = { ...used(0, [1]), limit: 2, newcomers: true };
    expect(mayTakeUnit(few, DAY, START)).toBe(true);
    expect(mayTakeUnit({ ...few, total: 2 }, DAY, START)).toBe(false);
  });
});

describe("the next unit", () => {
  test("is free immediately, when enough is lent, or with the next window", () => {
    const now = addMs(START, HOUR);
    expect(unitFreeAt(used(49, [0]), DAY, now)).toEqual(now);
    expect(unitFreeAt(used(75, [0]), DAY, now)).toEqual(addMs(START, 12.48 * HOUR));
    expect(unitFreeAt(used(95, [0]), DAY, now)).toEqual(DAY.endsAt);
    expect(unitFreeAt(used(100, []), DAY, now)).toEqual(DAY.endsAt);
  });
});

const budgets = fc
  .record({
    limit: fc.integer({ min: 1, max: 10_000 }),
    own: fc.nat(3_000),
    others: fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 6 }),
    newcomers: fc.boolean(),
    uncounted: fc.nat(50),
  })
  .map(({ uncounted, ...budget }) => ({
    ...budget,
    total: budget.others.reduce((sum, units) => sum + units, budget.own) + uncounted,
  }));
const moments = fc.integer({ min: 0, max: 24 * HOUR - 1 }).map((ms) => addMs(START, ms));

test("what may be taken at one time may be taken at any later time of the window", () => {
  fc.assert(
    fc.property(budgets, moments, moments, (budget, one, other) => {
      const [earlier, later] = one < other ? [one, other] : [other, one];
      if (mayTakeUnit(budget, DAY, earlier)) expect(mayTakeUnit(budget, DAY, later)).toBe(true);
    }),
  );
});

test("a unit may be taken when it is said to be free, and not two milliseconds before", () => {
  fc.assert(
    fc.property(budgets, moments, (budget, now) => {
      const at = unitFreeAt(budget, DAY, now);
      expect(at >= now && at <= DAY.endsAt).toBe(true);
      if (at < DAY.endsAt) expect(mayTakeUnit(budget, DAY, at)).toBe(true);
      if (at > now) expect(mayTakeUnit(budget, DAY, addMs(at, -3))).toBe(false);
    }),
  );
});

test("below its share an application is refused only at the limit, which no application exceeds", () => {
  const asks = fc.array(fc.record({ application: fc.nat(3), at: fc.nat(24 * HOUR - 1) }), { maxLength: 300 });
  fc.assert(
    fc.property(asks, fc.integer({ min: 1, max: 60 }), (unordered, limit) => {
      const taken = new Map<number, number>();
      const sum = (): number => [...taken.values()].reduce((total, units) => total + units, 0);
      for (const { application, at } of unordered.toSorted((one, other) => one.at - other.at)) {
        const own = taken.get(application) ?? 0;
        const others = [...taken].filter(([one]) => one !== application).map(([, units]) => units);
        const newcomers = [0, 1, 2, 3].some((one) => one !== application && !taken.has(one));
        const budget = { limit, total: sum(), own, others, newcomers };
        if (mayTakeUnit(budget, DAY, addMs(START, at))) taken.set(application, own + 1);
        else if (own < quotaShare(limit, others.length + 1, newcomers)) expect(sum()).toBe(limit);
        expect(sum()).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test("however much one application borrows, a newcomer finds a tenth of its share", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 2_000 }), (limit) => {
      let own = 0;
      while (mayTakeUnit({ ...used(own, [], true), limit }, DAY, LAST)) own += 1;
      expect(limit - own).toBe(Math.ceil(quotaShare(limit, 1, true) / 10));
    }),
  );
});
