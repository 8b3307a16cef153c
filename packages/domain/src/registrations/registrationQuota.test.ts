import { describe, expect, test } from "vitest";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { NOW } from "../testing/time.ts";
import {
  backgroundUnits,
  checkQuota,
  decideSetQuota,
  effectiveQuota,
  shownOverride,
  shownQuota,
} from "./registrationQuota.ts";

const registration = {
  id: "6f1c0f9e-0000-4000-8000-000000000001",
  provider: "PROVIDER_A",
  clientId: "known-as-this",
  status: "PUBLISHED",
  addresses: {},
  quota: { units: 700 },
  updatedAt: NOW,
} as const;
const usual = PROVIDER_TRAITS.PROVIDER_A.quota;

describe("setting a registration's quota", () => {
  test("stores what differs from the default, also of a published registration, and names it in the audit entry", () => {
    expect(decideSetQuota(registration, { units: 500, window: "MINUTE", per: null })).toEqual({
      patch: { quota: { units: 500, window: "minute" } },
      followUps: [],
      audit: {
        action: "Registration quota changed",
        summary:
          "Changed the quota of the registration at PROVIDER_A · YouTube Data API v3 (client id known-…): units 500 (default 10000), window minute (default pacific-day).",
        target: { type: "REGISTRATION", id: registration.id },
        changes: [
          { field: "units", before: 700, after: 500 },
          { field: "window", before: "pacific-day", after: "minute" },
        ],
      },
    });
  });

  test.each([null, {}, { units: null, reserve: null }])("%j resets it to the provider's default", (input) => {
    expect(decideSetQuota(registration, input)).toMatchObject({
      patch: { quota: null },
      audit: {
        summary:
          "Reset the quota of the registration at PROVIDER_A · YouTube Data API v3 (client id known-…) to the provider's default.",
      },
    });
  });

  test.each([
    ["units", { units: 0 }, "`units` must be between 1 and 100,000,000."],
    ["units", { units: 100_000_001 }, "`units` must be between 1 and 100,000,000."],
    ["units", { units: 1.5 }, "`units` must be between 1 and 100,000,000."],
    ["reserve", { reserve: -0.01 }, "`reserve` must be between 0 and 0.9."],
    ["reserve", { reserve: 0.91 }, "`reserve` must be between 0 and 0.9."],
    ["reserve", { reserve: Number.NaN }, "`reserve` must be between 0 and 0.9."],
  ])("refuses %s of %j", (field, input, message) => {
    expect(checkQuota(input)).toEqual({ code: "BAD_USER_INPUT", field, message });
  });

  test("accepts the bounds, and refuses an unknown registration", () => {
    for (const input of [
      { units: 1, reserve: 0 },
      { units: 100_000_000, reserve: 0.9 },
    ]) {
      expect(checkQuota(input)).toBeNull();
      expect(decideSetQuota(registration, input)).toMatchObject({ patch: { quota: input } });
    }
    expect(decideSetQuota(null, null)).toMatchObject({ code: "NOT_FOUND" });
  });
});

test("shows a quota and an override with the names of the API", () => {
  expect(shownQuota(usual)).toEqual({ units: 10_000, window: "PACIFIC_DAY", per: "REGISTRATION", reserve: 0.2 });
  expect(shownOverride({ per: "account", reserve: 0 })).toEqual({
    units: null,
    window: null,
    per: "ACCOUNT",
    reserve: 0,
  });
  expect(shownOverride(null)).toEqual({ units: null, window: null, per: null, reserve: null });
});

test.each([
  [10_000, 0.2, 8_000],
  [10, 0.9, 1],
  [10, 0.8, 2],
  [100, 0.07, 93],
  [4, 0.2, 3],
  [1, 0.2, 0],
] as const)("of %d units with a reserve of %d, background reads may use %d", (units, reserve, usable) => {
  expect(backgroundUnits({ units, reserve })).toBe(usable);
});

test("an override replaces only its own parts of the default", () => {
  expect(effectiveQuota(usual, { reserve: 0 })).toEqual({ ...usual, reserve: 0 });
  expect(effectiveQuota(usual, null)).toEqual(usual);
});
