import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { type JobKind, retryBoundsOf } from "./job.ts";
import { nextRetryAt, RETRY, retryDelayMs } from "./retry.ts";

const LAST = 1 - Number.EPSILON;

describe("the delay before a retry", () => {
  test.each([
    [1, 1_000, 2_000],
    [2, 1_000, 4_000],
    [3, 1_000, 8_000],
    [9, 1_000, 512_000],
    [10, 1_000, 900_000],
    [1_000, 1_000, 900_000],
  ])("after %i failures is between %i and %i ms", (failures, least, most) => {
    expect(retryDelayMs(failures, { random: 0 })).toBe(least);
    expect(retryDelayMs(failures, { random: LAST })).toBeGreaterThan(most - 10);
    expect(retryDelayMs(failures, { random: LAST })).toBeLessThanOrEqual(most);
  });

  test("is never shorter than the provider asked for, up to 24 hours", () => {
    expect(retryDelayMs(1, { retryAfterSeconds: 60, random: 0 })).toBe(61_000);
    expect(retryDelayMs(1, { retryAfterSeconds: 86_400, random: 0.5 })).toBe(24 * HOUR);
    expect(retryDelayMs(1, { retryAfterSeconds: 10 ** 9, random: 0.5 })).toBe(24 * HOUR);
  });

  test.each([null, undefined, 0, -5, Number.NaN])("ignores a Retry-After of %s", (retryAfterSeconds) => {
    expect(retryDelayMs(1, { ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }), random: 0 })).toBe(
      1_000,
    );
  });

  test("is always a whole number of milliseconds within its bounds", () => {
    const random = fc.double({ min: 0, max: LAST, noNaN: true });
    fc.assert(
      fc.property(fc.nat(), fc.option(fc.nat()), random, (failures, retryAfterSeconds, random) => {
        const delay = retryDelayMs(failures, { retryAfterSeconds, random });
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(
          Math.min(RETRY.maxRetryAfterMs, (retryAfterSeconds ?? 0) * 1_000 + RETRY.minDelayMs),
        );
        expect(delay).toBeLessThanOrEqual(RETRY.maxRetryAfterMs);
      }),
    );
  });
});

describe("the retry", () => {
  const next = (kind: JobKind, failures: number, ageMs = 0) =>
    nextRetryAt({ kind, failures, createdAt: addMs(NOW, -ageMs) }, { random: 0 }, NOW);

  test("is at now and the delay", () => {
    expect(next("SCAN", 1)).toEqual(addMs(NOW, 1_000));
  });

  test.each(["SCAN", "METRICS", "LOOKUP", "PROFILE"] as const)("of a %s ends with its eighth failure", (kind) => {
    expect(next(kind, 7)).not.toBeNull();
    expect(next(kind, 8)).toBeNull();
  });

  test("of a revoke ends 24 hours after the disconnect", () => {
    expect(next("REVOKE", 100, 24 * HOUR - 1_001)).not.toBeNull();
    expect(next("REVOKE", 100, 24 * HOUR - 1_000)).toBeNull();
  });

  test("of an erasure never ends", () => {
    expect(next("ERASE", 1_000_000, 10_000 * HOUR)).not.toBeNull();
  });

  test.each([
    ["REVOKE", 24 * HOUR],
    ["RECHECK", 7 * 24 * HOUR],
  ] as const)("a %s is ended by its age and not by the number of retries", (kind, expectedMs) => {
    const averageMs = (RETRY.minDelayMs + RETRY.maxDelayMs) / 2;
    const { maxFailures, maxAgeMs } = retryBoundsOf(kind);
    expect(maxAgeMs).toBe(expectedMs);
    expect(maxFailures * averageMs).toBeGreaterThan(4 * maxAgeMs);
  });

  test("a re-check has its last retry when its 7 days end, and not before", () => {
    const [week, job] = [7 * 24 * HOUR, { kind: "RECHECK", failures: 100 } as const];
    const aged = (ageMs: number, retryAfterSeconds: number | null = null) =>
      nextRetryAt({ ...job, createdAt: addMs(NOW, -ageMs) }, { random: LAST, retryAfterSeconds }, NOW);
    expect(aged(week - 60_000)).toEqual(addMs(NOW, 60_000));
    expect(aged(week - 1)).toEqual(addMs(NOW, 1_000));
    expect(aged(week - 60_000, 300)).toEqual(addMs(NOW, 301_000));
    expect(aged(week)).toBeNull();
  });
});
