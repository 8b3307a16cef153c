import type { JobStatus, PageIncompleteReason, ScanIncompleteReason } from "@social-connect/contract";
import { isScanFresh } from "../connections/syncStatus.ts";
import { isPastRetention } from "../retention/retention.ts";
import type { PublicationWindow } from "./window.ts";

/** One scan of a connection, as far as it tells whether stored posts are all there are. */
export interface ScanRecord {
  readonly status: JobStatus;
  /** It failed before and waits to be tried again. */
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

export interface Completeness {
  readonly completeForWindow: boolean;
  readonly incompleteReason: PageIncompleteReason | null;
}

/**
 * Whether the stored posts of `window` are all there are: successful complete scans of the last 24 hours together
 * cover it whole; adjoining windows may share the work. A scan counts for all of its window, also for a part that lay in
 * the future: newer posts may be missing for as long as the scan counts as recent.
 *
 * Otherwise the reason that tells most about what to do, in this order: SCAN_RUNNING (one that touches the window is in
 * flight: wait), SCAN_FAILED (the latest one failed, or waits to be tried again), the reason of the latest one if it
 * succeeded lately and stopped early (continue it), SCAN_STALE (older scans covered it: its posts are younger than 30 days),
 * CONTENT_EXPIRED (posts that may have been the window's are past 30 days), NOT_SCANNED. Canceled scans say nothing, and
 * neither do those that ended 7 days ago, which are purged. `scans` come in any order; `hasExpiredContent`: see
 * `mayHaveExpiredFrom`.
 * Source: service description, part 2, PageInfo; the reasons and their order are this project's choice.
 */
export function completeness(
  window: PublicationWindow,
  allScans: readonly ScanRecord[],
  now: Date,
  { hasExpiredContent = false }: { readonly hasExpiredContent?: boolean } = {},
): Completeness {
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
