import { LIMITS, SYNC_STATUSES, type SyncStatus } from "@social-connect/contract";
import { addMs, hasPassed } from "../time/time.ts";

/** The stored values. STALE is derived from the age of the last scan. */
export type StoredSyncStatus = Exclude<SyncStatus, "STALE">;
export const STORED_SYNC_STATUSES = SYNC_STATUSES.filter((status) => status !== "STALE");

/**
 * The stored syncStatus after an event of a scan; a new connection is PENDING. The description names the values; their
 * meaning is this project's choice.
 */
export const SYNC_STATUS_AFTER = {
  SCAN_STARTED: "RUNNING",
  /** It succeeded and covered its window. */
  SCAN_COVERED: "READY",
  /** It succeeded without covering its window. */
  SCAN_STOPPED_EARLY: "PARTIAL",
  /** Permanently, or until the retry at nextRetryAt. */
  SCAN_FAILED: "FAILED",
} as const satisfies Record<string, StoredSyncStatus>;

/**
 * syncStatus as shown: READY and PARTIAL become STALE 24 hours after the last successful scan. RUNNING, PENDING (never
 * scanned) and FAILED stay, because they explain the missing data.
 */
export function syncStatusAsRead(stored: SyncStatus, lastSuccessfulSyncAt: Date | null, now: Date): SyncStatus {
  if (stored !== "READY" && stored !== "PARTIAL") return stored;
  return isScanFresh(lastSuccessfulSyncAt, now) ? stored : "STALE";
}

/** True for a scan that ended less than 24 hours ago: what "recent" means for syncStatus and for completeForWindow. */
export function isScanFresh(endedAt: Date | null, now: Date): boolean {
  return endedAt !== null && !hasPassed(addMs(endedAt, LIMITS.scanFreshMs), now);
}
