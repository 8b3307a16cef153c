import { EVENT_LIMITS, LIMITS } from "@social-connect/contract";
import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * The retention period of each kind of record, in milliseconds after `from`. Reads hide expired records, and the hourly purge
 * deletes them. Source: service description, part 8.
 */
export const RETENTION = {
  /** Posts with their metrics; only the ids and the time of the observation remain, to answer EXPIRED. */
  content: { from: "observedAt", keepMs: LIMITS.contentRetentionMs },
  profile: { from: "observedAt", keepMs: LIMITS.profileRetentionMs },
  /** Jobs other than receipts. */
  job: { from: "finishedAt", keepMs: LIMITS.jobReadableMs },
  /** Revoke and erase receipts. */
  receipt: { from: "createdAt", keepMs: LIMITS.jobReadableMs },
  connectAttempt: { from: "createdAt", keepMs: LIMITS.connectResultReadableMs },
  identityAttempt: { from: "createdAt", keepMs: LIMITS.identityResultReadableMs },
  /** Lines of imports, with the tokens of unfinished ones: an import can be resumed for so long. */
  importLine: { from: "createdAt", keepMs: 30 * DAY_MS },
  auditEntry: { from: "at", keepMs: LIMITS.auditRetentionMs },
  /** Events of an application's backend, with their deliveries. */
  event: { from: "occurredAt", keepMs: EVENT_LIMITS.storedDays * DAY_MS },
  /** The result of a provider's data deletion request. */
  dataDeletion: { from: "requestedAt", keepMs: 90 * DAY_MS },
} as const;

export type RetainedKind = keyof typeof RETENTION;

/**
 * The purge deletes records whose `from` is before this time. It never deletes a record that reads still show: reads hide at
 * or just after this time, the purge deletes strictly before it.
 */
export function purgeBefore(kind: RetainedKind, now: Date): Date {
  return addMs(now, -RETENTION[kind].keepMs);
}

/** True if a record of this kind, whose `from` is `since`, has expired, by the same boundary as its read rule. */
export function isPastRetention(kind: RetainedKind, since: Date, now: Date): boolean {
  const { keepMs } = RETENTION[kind];
  return kind === "content" ? isOlderThan(since, keepMs, now) : hasPassed(addMs(since, keepMs), now);
}
