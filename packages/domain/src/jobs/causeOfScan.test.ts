import { expect, test } from "vitest";
import { NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { causeOfScan } from "./causeOfScan.ts";
import type { ReadOutcome } from "./outcome.ts";
import type { ProviderFault } from "./retry.ts";

const connected = { status: "CONNECTED", capabilities: ["CONTENT_LIST"], cause: null } as const;
const fault = (kind: ProviderFault["kind"], more: Partial<ProviderFault> = {}): ReadOutcome => ({
  outcome: "interrupted",
  fault: { kind, retryAfterSeconds: null, appRemoved: false, ...more },
  hasProgress: false,
});
const failed = (
  errorCode: "AUTHORIZATION_SUSPENDED" | "CAPABILITY_UNAVAILABLE" | "RECONNECT_REQUIRED",
): ReadOutcome => ({
  outcome: "failed",
  errorCode,
});
const quotaWindow = { start: NOW, endsAt: addMs(NOW, 1) } as NonNullable<ProviderFault["quotaWindow"]>;

test.each([
  [fault("unavailable"), "PROVIDER_UNAVAILABLE"],
  [fault("access_expired"), "PROVIDER_UNAVAILABLE"],
  [fault("rate_limited"), "RATE_LIMITED"],
  [fault("rate_limited", { quotaWindow }), "QUOTA"],
  [fault("internal"), "SERVICE_FAULT"],
  [fault("application_refused"), "REGISTRATION_REFUSED"],
  [fault("rejected"), "CALLS_REFUSED"],
  [fault("account_unreadable"), "ACCOUNT_UNREADABLE"],
  [fault("scope_missing"), "PERMISSION_MISSING"],
  [failed("AUTHORIZATION_SUSPENDED"), "REGISTRATION_PAUSED"],
  [failed("CAPABILITY_UNAVAILABLE"), "NOT_ALLOWED"],
] as const)("a scan that ends with %j has the cause %s", (result, cause) => {
  expect(causeOfScan(connected, result, false, NOW)).toEqual({ cause, causeSince: NOW });
  expect(causeOfScan({ ...connected, cause }, result, false, NOW)).toEqual({});
});

test("a cause stays what it is while nothing else is known, and ends with a success", () => {
  const ill = { ...connected, cause: "QUOTA" };
  for (const result of [fault("grant_gone"), failed("RECONNECT_REQUIRED")])
    expect(causeOfScan(ill, result, false, NOW)).toEqual({});
  const succeeded: ReadOutcome = { outcome: "succeeded" };
  expect(causeOfScan(ill, succeeded, false, NOW)).toEqual({ cause: null, causeSince: null });
  expect(causeOfScan(connected, succeeded, false, NOW)).toEqual({});
  expect(causeOfScan({ ...connected, capabilities: [] }, failed("CAPABILITY_UNAVAILABLE"), false, NOW)).toMatchObject({
    cause: "PERMISSION_MISSING",
  });
  expect(causeOfScan(connected, fault("rejected"), true, NOW)).toMatchObject({ cause: "REGISTRATION_REFUSED" });
  expect(causeOfScan({ ...ill, status: "RECONNECT_REQUIRED" }, succeeded, false, NOW)).toEqual({});
});
