import {
  type Availability,
  type Capability,
  type ConnectionStatus,
  type ErrorCode,
  LIMITS,
  type SyncStatus,
} from "@social-connect/contract";
import { endedCapabilities } from "../refusals/callRefusals.ts";
import { addMs, hasPassed } from "../time/time.ts";
import type { ServedFrom } from "./connectionAccess.ts";
import { syncStatusAsRead } from "./syncStatus.ts";

export interface CapabilityState {
  readonly capability: Capability;
  readonly availability: Availability;
  readonly reason: ErrorCode | null;
}

export interface ConnectionRow<Profile extends { readonly observedAt: Date }> extends ServedFrom {
  readonly status: ConnectionStatus;
  /** As stored; becomes STALE by age. */
  readonly syncStatus: SyncStatus;
  readonly profile: Profile | null;
  readonly lastSuccessfulSyncAt: Date | null;
  readonly nextRetryAt: Date | null;
}

export interface ConnectionView<Profile> {
  readonly status: ConnectionStatus;
  readonly syncStatus: SyncStatus;
  readonly capabilities: readonly CapabilityState[];
  readonly profile: Profile | null;
  readonly lastSuccessfulSyncAt: Date | null;
  readonly nextRetryAt: Date | null;
}

/**
 * A connection as `connection` shows it, after a CONNECTED one has passed its re-check. The profile is shown only while
 * CONNECTED, with PROFILE available, and under 30 days old. In every other status everything that needs a working grant
 * is null, every capability is UNAVAILABLE, and syncStatus is STALE, because nothing is read.
 * Source: service description, parts 2 (Connection) and 3 (rule 2). That a disconnected row carries the reason
 * DISCONNECT_IN_PROGRESS, and STALE outside CONNECTED, is this project's choice.
 */
export function connectionAsRead<Profile extends { readonly observedAt: Date }>(
  row: ConnectionRow<Profile>,
  now: Date,
): ConnectionView<Profile> {
  const reason = unavailableReason(row.status);
  if (reason !== null) return withoutAccess(row, row.status, reason);
  const capabilities = capabilityStates(row, null);
  return {
    status: row.status,
    syncStatus: syncStatusAsRead(row.syncStatus, row.lastSuccessfulSyncAt, now),
    capabilities,
    profile: row.profile !== null && isProfileShown(row.profile, capabilities, now) ? row.profile : null,
    lastSuccessfulSyncAt: row.lastSuccessfulSyncAt,
    nextRetryAt: row.nextRetryAt,
  };
}

/**
 * A row of `connections`. A failed re-check (`recheckCode` of `recheckConnection`) does not fail the call: the row is shown
 * RECONNECT_REQUIRED if the grant stopped working and SUSPENDED otherwise, with the code as every capability's reason.
 * Source: service description, part 3, rule 4.
 */
export function connectionAsListed<Profile extends { readonly observedAt: Date }>(
  row: ConnectionRow<Profile>,
  recheckCode: ErrorCode | null,
  now: Date,
): ConnectionView<Profile> {
  if (row.status !== "CONNECTED" || recheckCode === null) return connectionAsRead(row, now);
  return withoutAccess(row, recheckCode === "RECONNECT_REQUIRED" ? "RECONNECT_REQUIRED" : "SUSPENDED", recheckCode);
}

/**
 * One entry for each granted capability, in stored order: UNAVAILABLE with `reason` when there is one, UNAVAILABLE with
 * CAPABILITY_UNAVAILABLE when the provider registration does not serve it, UNAVAILABLE with UPSTREAM_UNAVAILABLE when the
 * provider has refused its calls for a day, otherwise AVAILABLE.
 */
function capabilityStates(row: ServedFrom, reason: ErrorCode | null): CapabilityState[] {
  const ended = endedCapabilities(row.refusals);
  return row.capabilities.map((capability) => {
    const served = row.offeredCapabilities.includes(capability) ? null : "CAPABILITY_UNAVAILABLE";
    const why = reason ?? served ?? (ended.includes(capability) ? "UPSTREAM_UNAVAILABLE" : null);
    return { capability, availability: why === null ? "AVAILABLE" : "UNAVAILABLE", reason: why };
  });
}

function isProfileShown(
  profile: { readonly observedAt: Date },
  capabilities: readonly CapabilityState[],
  now: Date,
): boolean {
  const available = capabilities.some((state) => state.capability === "PROFILE" && state.availability === "AVAILABLE");
  return available && !hasPassed(addMs(profile.observedAt, LIMITS.profileRetentionMs), now);
}

function unavailableReason(status: ConnectionStatus): ErrorCode | null {
  switch (status) {
    case "CONNECTED":
      return null;
    case "SUSPENDED":
      return "AUTHORIZATION_SUSPENDED";
    case "RECONNECT_REQUIRED":
      return "RECONNECT_REQUIRED";
    case "DISCONNECTED":
    case "DELETING":
      return "DISCONNECT_IN_PROGRESS";
  }
}

function withoutAccess(row: ServedFrom, status: ConnectionStatus, reason: ErrorCode): ConnectionView<never> {
  return {
    status,
    syncStatus: "STALE",
    capabilities: capabilityStates(row, reason),
    profile: null,
    lastSuccessfulSyncAt: null,
    nextRetryAt: null,
  };
}
