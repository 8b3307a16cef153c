import { addMs } from "../time/time.ts";
import type { JobKind } from "./job.ts";

const HOUR_MS = 3_600_000;
/** With the jitter always under the 24 hours after which a scan no longer counts as recent. */
const EARLIEST_MS = 20 * HOUR_MS;
const JITTER_MS = 3 * HOUR_MS;
/** A job in flight keeps callers from scanning another window, which a re-read that nobody asked for may not do for long. */
const LONGEST_WAIT_MS = HOUR_MS / 4;

/**
 * When a connection is read again in the background: daily, early enough that what is served never turns stale. The
 * jitter drifts connections that were made together apart, so the work spreads over the day. `random` lies in [0, 1).
 */
export function nextBackgroundRead(now: Date, random: number): Date {
  return addMs(now, EARLIEST_MS + Math.floor(random * JITTER_MS));
}

/** True when a limit would keep a re-read waiting so long that it ends, and is ordered anew after the limit. */
export function shouldLeaveToSchedule(job: { readonly background: boolean }, at: Date, now: Date): boolean {
  return job.background && at.getTime() - now.getTime() > LONGEST_WAIT_MS;
}

/** The dates of a connection's next reads in the background; null where nothing is planned. */
export interface BackgroundDates {
  readonly nextScanAt: Date | null;
  readonly nextProfileAt: Date | null;
}

/** When a scan is ordered anew after a limit has ended one that may be tried again at `at`. */
export function nextScanAfterLimit({ nextScanAt }: BackgroundDates, at: Date): Date {
  return earlier(nextScanAt, at);
}

/** A connection's dates after a limit has ended one of its re-reads, which may be tried again at `at`. */
export function nextAfterLimit(
  job: { readonly kind: JobKind },
  connection: BackgroundDates,
  at: Date,
): { readonly nextScanAt: Date; readonly nextRetryAt: Date } | { readonly nextProfileAt: Date } {
  if (job.kind !== "SCAN") return { nextProfileAt: earlier(connection.nextProfileAt, at) };
  const nextScanAt = nextScanAfterLimit(connection, at);
  return { nextScanAt, nextRetryAt: nextScanAt };
}

/** What a date becomes once the sweep has looked at it: a new one where it was due. */
export function followingRead(due: Date | null, now: Date, random: number): Date | null {
  return due === null || due > now ? due : nextBackgroundRead(now, random);
}

function earlier(due: Date | null, at: Date): Date {
  return due === null || due > at ? at : due;
}
