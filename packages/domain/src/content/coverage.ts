import type { JobStatus, PageIncompleteReason, ScanIncompleteReason } from "@social-connect/contract";
import { isScanFresh } from "../connections/syncStatus.ts";
import { isPastRetention } from "../retention/retention.ts";
import type { PublicationWindow } from "./window.ts";

/** What one scan of a connection says about whether the stored posts are complete. */
export interface ScanRecord {
  readonly status: JobStatus;
  /** It failed before and waits for a retry. */
  readonly waitingToRetry?: boolean;
  readonly window: PublicationWindow;
  /** It succeeded and left no post of its window unread, its predecessors included when it continues others. */
  readonly completeForWindow: boolean;
  readonly incompleteReason: ScanIncompleteReason | null;
  /** Everything that it, or the chain it ends, observed is at least this new; null: as new as `finishedAt`. */
  readonly coveredSince: Date | null;
  /** null while in flight. */
  readonly finishedAt: Date | null;
}

/**
 * Whether the stored posts of `window` are complete: successful complete scans of the last 24 hours together cover it. A
 * scan counts for its whole window, also for a part that was in the future: newer posts may be missing while the scan
 * counts as recent.
 *
 * Otherwise the most useful reason, in this order: SCAN_RUNNING (a scan that overlaps the window is in flight: wait),
 * SCAN_FAILED (the latest scan failed or waits for a retry), the reason of the latest scan if it succeeded recently and
 * stopped early (continue it), SCAN_STALE (older scans covered the window: its posts are younger than 30 days),
 * CONTENT_EXPIRED (posts that may have been in the window expired), NOT_SCANNED. Canceled scans do not count, and neither
 * do scans that ended 7 days ago, which are purged. `scans` are in any order; `hasExpiredContent`: see `mayHaveExpiredFrom`.
 * Source: service description, part 2, PageInfo; the reasons and their order are this project's choice.
 */
export function completeness(
  window: PublicationWindow,
  allScans: readonly ScanRecord[],
  now: Date,
  { hasExpiredContent = false }: { readonly hasExpiredContent?: boolean } = {},
) {
  const scans = allScans.filter(({ finishedAt }) => finishedAt === null || !isPastRetention("job", finishedAt, now));
  const complete = scans.filter((scan) => scan.status === "SUCCEEDED" && scan.completeForWindow);
  const recent = complete.filter((scan) => isScanFresh(scan.coveredSince ?? scan.finishedAt, now));
  if (isCovered(window, recent)) return { completeForWindow: true, incompleteReason: null };

  const touching = scans.filter((scan) => overlaps(scan.window, window));
  return { completeForWindow: false, incompleteReason: reasonOfScans(touching, now) ?? reasonOfAge() };

  function reasonOfAge(): PageIncompleteReason {
    if (isCovered(window, complete)) return "SCAN_STALE";
    return hasExpiredContent ? "CONTENT_EXPIRED" : "NOT_SCANNED";
  }
}

function reasonOfScans(scans: readonly ScanRecord[], now: Date): PageIncompleteReason | null {
  const inFlight = scans.filter((scan) => scan.status === "QUEUED" || scan.status === "RUNNING");
  if (inFlight.some((scan) => !scan.waitingToRetry)) return "SCAN_RUNNING";
  if (inFlight.length > 0) return "SCAN_FAILED";
  const latest = latestFinished(scans);
  if (latest?.status === "FAILED") return "SCAN_FAILED";
  return latest !== undefined && isScanFresh(latest.finishedAt, now) ? latest.incompleteReason : null;
}

function latestFinished(scans: readonly ScanRecord[]): ScanRecord | undefined {
  const finished = scans.filter((scan) => scan.finishedAt !== null && scan.status !== "CANCELED");
  return finished.sort((a, b) => (b.finishedAt?.getTime() ?? 0) - (a.finishedAt?.getTime() ?? 0))[0];
}

/** True when the windows of `scans` leave no gap in `window`. */
function isCovered(window: PublicationWindow, scans: readonly ScanRecord[]): boolean {
  const parts = scans.map((scan) => scan.window);
  parts.sort((a, b) => a.publishedAfter.getTime() - b.publishedAfter.getTime());
  let reached = window.publishedAfter.getTime();
  for (const part of parts) {
    if (part.publishedAfter.getTime() > reached) return false;
    reached = Math.max(reached, part.publishedBefore.getTime());
    if (reached >= window.publishedBefore.getTime()) return true;
  }
  return false;
}

function overlaps(a: PublicationWindow, b: PublicationWindow): boolean {
  return (
    a.publishedAfter.getTime() < b.publishedBefore.getTime() && b.publishedAfter.getTime() < a.publishedBefore.getTime()
  );
}
