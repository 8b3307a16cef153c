import { LIMITS } from "@social-connect/contract";
import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

/**
 * How long each kind of record is kept, in milliseconds after `from`. What is past its time is hidden when read and removed by
 * the hourly purge. Source: service description, part 8.
 */
export const RETENTION = {
  /** Posts with their metrics; only the ids and the moment of the observation outlive it, to answer EXPIRED. */
  content: { from: "observedAt", keepMs: LIMITS.contentRetentionMs },
  profile: { from: "observedAt", keepMs: LIMITS.profileRetentionMs },
  /** Jobs other than receipts. */
  job: { from: "finishedAt", keepMs: LIMITS.jobReadableMs },
  /** Revoke and erase receipts. */
  receipt: { from: "createdAt", keepMs: LIMITS.jobReadableMs },
  connectAttempt: { from: "createdAt", keepMs: LIMITS.connectResultReadableMs },
  identityAttempt: { from: "createdAt", keepMs: LIMITS.identityResultReadableMs },
  auditEntry: { from: "at", keepMs: LIMITS.auditRetentionMs },
} as const;

export type RetainedKind = keyof typeof RETENTION;

/**
 * Records whose `from` moment is before this are to be purged. One served at its limit is never purged while it is served:
 * the read rules hide at or just after this moment, the purge removes strictly before it.
 */
export function purgeBefore(kind: RetainedKind, now: Date): Date {
  return addMs(now, -RETENTION[kind].keepMs);
}

/** True when a record of this kind, counted from `moment`, is past its time, by the same boundary as its read rule. */
export function isPastRetention(kind: RetainedKind, moment: Date, now: Date): boolean {
  const { keepMs } = RETENTION[kind];
  return kind === "content" ? isOlderThan(moment, keepMs, now) : hasPassed(addMs(moment, keepMs), now);
}
