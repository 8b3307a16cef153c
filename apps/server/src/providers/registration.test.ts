import { expect, test } from "vitest";
import { readQuota } from "./registration.ts";

const USUAL = { units: 10_000, window: "pacific-day", per: "client", reserve: 0.2 } as const;

test("a registration row overrides only the quota values that it contains", () => {
  expect(readQuota(USUAL, null)).toEqual(USUAL);
  expect(readQuota(USUAL, { units: 1_000_000 })).toEqual({ ...USUAL, units: 1_000_000 });
  expect(readQuota(USUAL, { window: "minute", per: "read", reserve: 0 })).toEqual({
    units: 10_000,
    window: "minute",
    per: "read",
    reserve: 0,
  });
});

test.each([{ units: 0 }, { units: 1.5 }, { reserve: 1 }, { window: "week" }, { unit: 5 }, "many"])(
  "rejects a row with %j",
  (stored) => {
    expect(() => readQuota(USUAL, stored)).toThrow();
  },
);
