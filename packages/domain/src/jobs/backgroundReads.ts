import type { Capability, ConnectionStatus, RegistrationStatus, SyncStatus } from "@social-connect/contract";
import { type ServedFrom, servedCapabilities } from "../connections/connectionAccess.ts";
import { resolveSyncWindow, type SyncWindow } from "../content/window.ts";
import type { Change } from "../decisions/change.ts";
import { endedCapabilities } from "../refusals/callRefusals.ts";
import { addMs } from "../time/time.ts";
import { isContinuable, type JobKind, type JobRow } from "./job.ts";
import type { NewRead } from "./refresh.ts";

const HOUR_MS = 3_600_000;
/** With the jitter always under the 24 hours after which a scan no longer counts as recent. */
const EARLIEST_MS = 20 * HOUR_MS;
const JITTER_MS = 3 * HOUR_MS;
/** A read that is planned later than this after the last success follows one that failed or was skipped. */
const LATEST_MS = EARLIEST_MS + JITTER_MS;
/** A job in flight prevents callers from scanning another window, which a read without a caller may do only briefly. */
const LONGEST_WAIT_MS = HOUR_MS / 4;

/**
 * When a connection is read again in the background: daily, and before its data is stale. The jitter spreads connections
 * that were created together, and so the work over the day. `random` is in [0, 1).
 */
export function nextBackgroundRead(now: Date, random: number): Date {
  return addMs(now, EARLIEST_MS + Math.floor(random * JITTER_MS));
}

/** True if a limit would delay a background read so long that it ends, and the schedule repeats it after the limit. */
export function shouldLeaveToSchedule(job: { readonly background: boolean }, at: Date, now: Date): boolean {
  return job.background && at.getTime() - now.getTime() > LONGEST_WAIT_MS;
}

const DAY_MS = 24 * HOUR_MS;

/**
 * True once a week, on the seventh day from the connection's creation: the background scan also reads posts far older than its
 * window, which a provider may not list by time.
 */
export function isDeepScanDue({ createdAt }: { readonly createdAt: Date }, now: Date): boolean {
  return Math.floor((now.getTime() - createdAt.getTime()) / DAY_MS) % 7 === 6;
}

/** The dates of a connection's next reads in the background; null where nothing is planned. */
export interface BackgroundDates {
  readonly nextScanAt: Date | null;
  readonly nextProfileAt: Date | null;
}

/** When the schedule repeats a scan that ended at a limit and can be retried at `at`. */
export function nextScanAfterLimit({ nextScanAt }: BackgroundDates, at: Date): Date {
  return earlier(nextScanAt, at);
}

/** A connection's dates after one of its background reads ended at a limit and can be retried at `at`. */
export function nextAfterLimit(
  job: { readonly kind: JobKind },
  connection: BackgroundDates,
  at: Date,
): { readonly nextScanAt: Date; readonly nextRetryAt: Date } | { readonly nextProfileAt: Date } {
  if (job.kind !== "SCAN") return { nextProfileAt: earlier(connection.nextProfileAt, at) };
  const nextScanAt = nextScanAfterLimit(connection, at);
  return { nextScanAt, nextRetryAt: nextScanAt };
}

/** The date after the sweep: a new one if it was due. */
export function followingRead(due: Date | null, now: Date, random: number): Date | null {
  return due === null || due > now ? due : nextBackgroundRead(now, random);
}

/**
 * The dates of a connection's next reads after its registration was published: `at` for what failed, or was skipped meanwhile, and
 * is planned later than `until`. null if nothing is. A scan that waits for a limit keeps the time that the provider gave.
 */
export function catchUpDates(
  connection: BackgroundDates & {
    readonly status: ConnectionStatus;
    readonly syncStatus: SyncStatus;
    readonly nextRetryAt: Date | null;
    readonly lastSuccessfulSyncAt: Date | null;
    readonly profileObservedAt: Date | null;
    readonly createdAt: Date;
  },
  at: Date,
  until: Date,
): BackgroundDates | null {
  const { status, syncStatus, nextScanAt, nextProfileAt, nextRetryAt, createdAt } = connection;
  const isLate = (due: Date | null, succeededAt: Date | null, hasFailed: boolean) =>
    due !== null && due > until && (hasFailed || due > addMs(succeededAt ?? createdAt, LATEST_MS));
  const isWaiting = nextRetryAt !== null && nextRetryAt > until;
  const isScanLate = !isWaiting && isLate(nextScanAt, connection.lastSuccessfulSyncAt, syncStatus === "FAILED");
  const isProfileLate = isLate(nextProfileAt, connection.profileObservedAt, false);
  if (status !== "CONNECTED" || !(isScanLate || isProfileLate)) return null;
  return { nextScanAt: isScanLate ? at : nextScanAt, nextProfileAt: isProfileLate ? at : nextProfileAt };
}

/**
 * The first reads of a new or reconnected connection: the profile and the default window, if granted. A read in
 * flight runs with the new credential instead. `random` draws a number in [0, 1).
 */
export function decideInitialReads(
  facts: {
    readonly capabilities: readonly Capability[];
    /** Kinds of the connection's jobs in flight. */
    readonly inFlight: readonly JobKind[];
    /** False if only callers start scans. */
    readonly startsScans: boolean;
  },
  random: () => number,
  now: Date,
): Change<BackgroundDates, NewRead> {
  const isListed = facts.capabilities.includes("CONTENT_LIST") && facts.startsScans;
  const isProfiled = facts.capabilities.includes("PROFILE");
  return {
    patch: {
      nextScanAt: isListed ? nextBackgroundRead(now, random()) : null,
      nextProfileAt: isProfiled ? nextBackgroundRead(now, random()) : null,
    },
    followUps: [
      ...(isProfiled && !facts.inFlight.includes("PROFILE") ? [PROFILE_READ] : []),
      ...(isListed && !facts.inFlight.includes("SCAN") ? [defaultScan(now)] : []),
    ],
  };
}

/**
 * The first reads of an imported connection: spread over the day before its daily reads, so that thousands leave the quota to
 * others. The import has just read the profile. An application can ask for a read at once.
 */
export function firstReadsLater(capabilities: readonly Capability[], random: () => number, now: Date): BackgroundDates {
  return {
    nextScanAt: capabilities.includes("CONTENT_LIST") ? addMs(now, Math.floor(random() * EARLIEST_MS)) : null,
    nextProfileAt: capabilities.includes("PROFILE") ? nextBackgroundRead(now, random()) : null,
  };
}

export type LatestScan = Pick<JobRow, "kind" | "status" | "completeForWindow" | "finishedAt" | "incompleteReason"> & {
  readonly background: boolean;
  readonly hasCursor: boolean;
  readonly window: SyncWindow | null;
};

/**
 * The due background reads of a connection, and the dates of the following ones. A read that would be refused (not offered,
 * or the registration is paused or disabled) is skipped but keeps its schedule, so that it resumes later. A background scan that a
 * limit stopped is continued.
 */
export function decideBackgroundReads<Scan extends LatestScan>(
  connection: BackgroundDates &
    ServedFrom & { readonly status: ConnectionStatus; readonly registrationStatus: RegistrationStatus },
  facts: { readonly inFlight: readonly JobKind[]; readonly startsScans: boolean; readonly latestScan: Scan | null },
  random: () => number,
  now: Date,
): Change<BackgroundDates, NewRead<Scan>> {
  const isReadable = connection.status === "CONNECTED" && connection.registrationStatus === "PUBLISHED";
  const ended = endedCapabilities(connection.refusals);
  const served = isReadable ? servedCapabilities(connection).filter((capability) => !ended.includes(capability)) : [];
  const isRead = (due: Date | null, capability: Capability, kind: JobKind) =>
    due !== null && due <= now && served.includes(capability) && !facts.inFlight.includes(kind);
  const isScanned = facts.startsScans && isRead(connection.nextScanAt, "CONTENT_LIST", "SCAN");
  return {
    patch: {
      nextScanAt: followingRead(connection.nextScanAt, now, random()),
      nextProfileAt: followingRead(connection.nextProfileAt, now, random()),
    },
    followUps: [
      ...(isScanned ? [continuedScan(facts.latestScan, now) ?? defaultScan(now)] : []),
      ...(isRead(connection.nextProfileAt, "PROFILE", "PROFILE") ? [PROFILE_READ] : []),
    ],
  };
}

const PROFILE_READ = { target: { kind: "PROFILE" }, background: true, continues: null } as const;

/** A scan of the default window that no caller requested. */
export function defaultScan(now: Date): NewRead<never> {
  return { target: { kind: "SCAN", window: resolveSyncWindow(null, now) }, background: true, continues: null };
}

function continuedScan<Scan extends LatestScan>(latest: Scan | null, now: Date): NewRead<Scan> | null {
  const wasLimited = latest?.background === true && latest.incompleteReason === "UPSTREAM_RATE_LIMITED";
  if (!wasLimited || latest.window === null || !latest.hasCursor || !isContinuable(latest, now)) return null;
  return { target: { kind: "SCAN", window: latest.window }, background: true, continues: latest };
}

export function earlier(due: Date | null, at: Date): Date {
  return due === null || due > at ? at : due;
}
