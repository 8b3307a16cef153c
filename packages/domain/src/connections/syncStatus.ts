import type { SyncStatus } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import { addMs, hasPassed } from "../time/time.ts";

/** What is stored: STALE never is, since nothing happens when a scan grows old. */
export type StoredSyncStatus = Exclude<SyncStatus, "STALE">;

/**
 * The stored syncStatus after what happened to a scan; a connection begins PENDING. A canceled scan puts back the status
 * from before it started. The description names the values; what each means is this project's choice.
 */
export const SYNC_STATUS_AFTER = {
  SCAN_STARTED: "RUNNING",
  /** It succeeded and covered its window. */
  SCAN_COVERED: "READY",
  /** It succeeded and did not. */
  SCAN_STOPPED_EARLY: "PARTIAL",
  /** For good, or to be tried again at nextRetryAt. */
  SCAN_FAILED: "FAILED",
} as const satisfies Record<string, StoredSyncStatus>;

/**
 * syncStatus as it is shown: READY and PARTIAL turn STALE when no scan has succeeded for 24 hours. RUNNING, PENDING (never
 * scanned) and FAILED stay, because they say why there is nothing newer.
 */
export function syncStatusAsRead(stored: SyncStatus, lastSuccessfulSyncAt: Date | null, now: Date): SyncStatus {
  if (stored !== "READY" && stored !== "PARTIAL") return stored;
  return isScanFresh(lastSuccessfulSyncAt, now) ? stored : "STALE";
}

/** True for a scan that ended less than 24 hours ago: what "recent" means for syncStatus and for completeForWindow. */
export function isScanFresh(endedAt: Date | null, now: Date): boolean {
  return endedAt !== null && !hasPassed(addMs(endedAt, LIMITS.scanFreshMs), now);
}
