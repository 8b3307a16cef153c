import { CAPABILITIES, type ErrorCode, SYNC_STATUSES } from "@social-connect/contract";
import { describe, expect, test } from "vitest";
import { DAY, NOW } from "../testing/time.ts";
import { addMs } from "../time/time.ts";
import { type ConnectionRow, connectionAsListed, connectionAsRead } from "./connectionView.ts";

const PROFILE = { displayName: "Someone", observedAt: addMs(NOW, -DAY) };

const row: ConnectionRow<typeof PROFILE> = {
  status: "CONNECTED",
  syncStatus: "READY",
  capabilities: ["PROFILE", "CONTENT_LIST"],
  offeredCapabilities: CAPABILITIES,
  profile: PROFILE,
  lastSuccessfulSyncAt: addMs(NOW, -1_000),
  nextRetryAt: addMs(NOW, 5_000),
};
const all = (availability: string, reason: string | null) =>
  row.capabilities.map((capability) => ({ capability, availability, reason }));

describe("a connection in `connection`", () => {
  test("shows everything while CONNECTED", () => {
    const { offeredCapabilities: _, ...shown } = row;
    expect(connectionAsRead(row, NOW)).toEqual({ ...shown, capabilities: all("AVAILABLE", null) });
  });

  test.each([
    ["SUSPENDED", "AUTHORIZATION_SUSPENDED"],
    ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
    ["DISCONNECTED", "DISCONNECT_IN_PROGRESS"],
    ["DELETING", "DISCONNECT_IN_PROGRESS"],
  ] as const)("shows nothing that needs a grant while %s", (status, reason) => {
    const expected = {
      status,
      syncStatus: "STALE",
      capabilities: all("UNAVAILABLE", reason),
      profile: null,
      lastSuccessfulSyncAt: null,
      nextRetryAt: null,
    };
    expect(connectionAsRead({ ...row, status }, NOW)).toEqual(expected);
    expect(connectionAsListed({ ...row, status }, null, NOW)).toEqual(expected);
  });

  test.each([
    [30 * DAY - 1, true],
    [30 * DAY, false],
    [30 * DAY + 1, false],
  ])("shows a profile of %i ms of age: %s", (ageMs, shown) => {
    const profile = { ...PROFILE, observedAt: addMs(NOW, -ageMs) };
    expect(connectionAsRead({ ...row, profile }, NOW).profile).toEqual(shown ? profile : null);
  });

  test("shows no profile without PROFILE or without a stored profile", () => {
    expect(connectionAsRead({ ...row, capabilities: ["CONTENT_LIST"] }, NOW).profile).toBeNull();
    expect(connectionAsRead({ ...row, profile: null }, NOW).profile).toBeNull();
  });

  test("shows a capability that the registration does not serve as UNAVAILABLE, and no profile when it is PROFILE", () => {
    const view = connectionAsRead({ ...row, offeredCapabilities: ["CONTENT_LIST", "CONTENT_METRICS"] }, NOW);
    expect(view.capabilities).toEqual([
      { capability: "PROFILE", availability: "UNAVAILABLE", reason: "CAPABILITY_UNAVAILABLE" },
      { capability: "CONTENT_LIST", availability: "AVAILABLE", reason: null },
    ]);
    expect(view.profile).toBeNull();
    expect(view.lastSuccessfulSyncAt).toEqual(row.lastSuccessfulSyncAt);
  });

  test.each(SYNC_STATUSES)("turns a stored %s STALE by age only after a successful scan", (syncStatus) => {
    const readAfter = (ms: number) =>
      connectionAsRead({ ...row, syncStatus, lastSuccessfulSyncAt: addMs(NOW, -ms) }, NOW);
    const ages = syncStatus === "READY" || syncStatus === "PARTIAL";
    expect(readAfter(DAY - 1).syncStatus).toBe(syncStatus);
    expect(readAfter(DAY).syncStatus).toBe(ages ? "STALE" : syncStatus);
  });
});

describe("a connection in `connections`", () => {
  test("equals `connection` if its re-check passes", () => {
    expect(connectionAsListed(row, null, NOW)).toEqual(connectionAsRead(row, NOW));
  });

  test.each([
    ["RECONNECT_REQUIRED", "RECONNECT_REQUIRED"],
    ["AUTHORIZATION_SUSPENDED", "SUSPENDED"],
    ["CAPABILITY_UNAVAILABLE", "SUSPENDED"],
    ["FORBIDDEN", "SUSPENDED"],
  ] as const)("carries a failed re-check's %s as every reason, with status %s", (code, status) => {
    expect(connectionAsListed(row, code as ErrorCode, NOW)).toEqual({
      status,
      syncStatus: "STALE",
      capabilities: all("UNAVAILABLE", code),
      profile: null,
      lastSuccessfulSyncAt: null,
      nextRetryAt: null,
    });
  });

  test("ignores the re-check outside CONNECTED", () => {
    const suspended = { ...row, status: "SUSPENDED" } as const;
    expect(connectionAsListed(suspended, "FORBIDDEN", NOW)).toEqual(connectionAsRead(suspended, NOW));
  });
});
