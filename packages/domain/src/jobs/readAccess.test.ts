import { expect, test } from "vitest";
import { capabilitiesOfRead, jobErrorCode } from "./readAccess.ts";

test("each kind of read lives on one capability, and what is no read of content on none", () => {
  expect(capabilitiesOfRead("SCAN")).toEqual(["CONTENT_LIST"]);
  expect(capabilitiesOfRead("METRICS")).toEqual(["CONTENT_METRICS"]);
  expect(capabilitiesOfRead("LOOKUP")).toEqual(["CONTENT_LOOKUP"]);
  expect(capabilitiesOfRead("PROFILE")).toEqual(["PROFILE"]);
  expect(capabilitiesOfRead("REVOKE")).toEqual([]);
});

test.each([
  ["AUTHORIZATION_SUSPENDED", "AUTHORIZATION_SUSPENDED"],
  ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
  ["NOT_FOUND", "DISCONNECTED"],
  ["FORBIDDEN", "CAPABILITY_UNAVAILABLE"],
  ["CAPABILITY_UNAVAILABLE", "CAPABILITY_UNAVAILABLE"],
] as const)("a call's %s is a job's %s", (code, expected) => {
  expect(jobErrorCode(code)).toBe(expected);
});
