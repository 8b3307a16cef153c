import { describe, expect, test } from "vitest";
import { capabilitiesOfRead, jobErrorCode, refuseRead } from "./readAccess.ts";

test("each kind of read needs one capability, and other jobs need none", () => {
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

describe("refusing a read before the provider is called", () => {
  const job = { kind: "SCAN", failures: 0 } as const;
  const connection = {
    status: "CONNECTED",
    capabilities: ["CONTENT_LIST"],
    offeredCapabilities: ["CONTENT_LIST"],
  } as const;

  test("allows the read of an accessible connection", () => {
    expect(refuseRead(job, connection, null)).toBeNull();
  });

  test("fails a job that has used up its failures", () => {
    const outcome = { outcome: "failed", errorCode: "UPSTREAM_UNAVAILABLE" };
    expect(refuseRead({ ...job, failures: 8 }, connection, null)).toEqual(outcome);
  });

  test("treats an expired credential as a revoked grant", () => {
    expect(refuseRead(job, connection, "RECONNECT_REQUIRED")).toMatchObject({ fault: { kind: "grant_gone" } });
  });

  test.each([
    [{ status: "SUSPENDED" }, null, "AUTHORIZATION_SUSPENDED"],
    [{ status: "DELETING" }, null, "DISCONNECTED"],
    [{ capabilities: [] }, null, "CAPABILITY_UNAVAILABLE"],
    [{}, "FORBIDDEN", "CAPABILITY_UNAVAILABLE"],
  ] as const)("fails the read of %j with the re-check %s with %s", (over, recheckCode, errorCode) => {
    expect(refuseRead(job, { ...connection, ...over }, recheckCode)).toEqual({ outcome: "failed", errorCode });
  });
});
