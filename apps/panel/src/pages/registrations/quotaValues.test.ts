import { expect, test } from "vitest";
import { DEFAULTS, findQuotaGaps, quotaInputOf, quotaValuesOf, usesByClient } from "./quotaValues.ts";

test("shows an own quota in the form, the reserve in percent, and sends it back unchanged", () => {
  const own = { units: 500, window: "MINUTE", per: null, reserve: 0.07 } as const;
  expect(quotaValuesOf(own)).toEqual({ units: 500, window: "MINUTE", per: null, reserve: 7 });
  expect(quotaInputOf(quotaValuesOf(own))).toEqual(own);
});

test("sends nothing for the provider's defaults, and keeps a reserve of zero", () => {
  expect(quotaInputOf(DEFAULTS)).toBeNull();
  expect(quotaInputOf(quotaValuesOf({ units: null, window: null, per: null, reserve: null }))).toBeNull();
  expect(quotaInputOf({ ...DEFAULTS, reserve: 0 })).toEqual({ units: null, window: null, per: null, reserve: 0 });
});

test("finds numbers that the service would refuse", () => {
  expect(findQuotaGaps(DEFAULTS)).toEqual({});
  expect(findQuotaGaps({ ...DEFAULTS, units: 1, reserve: 90 })).toEqual({});
  expect(findQuotaGaps({ ...DEFAULTS, units: 0, reserve: 91 })).toEqual({
    units: "Enter a whole number from 1 to 100,000,000.",
    reserve: "Enter a number from 0 to 90.",
  });
});

test("lists what each client used of each budget", () => {
  const budget = { used: 5, units: 10, endsAt: "2026-03-10T00:00:00Z", keptForOthers: 0 };
  const client = { clientId: "1", clientSlug: "shop", used: 5, share: 10 };
  expect(usesByClient([{ ...budget, read: "/video/list/", clients: [client] }])).toEqual([
    { key: "/video/list/ 1", read: "/video/list/", ...client },
  ]);
});
