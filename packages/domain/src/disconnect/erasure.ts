import type { ConnectionStatus, JobStatus } from "@social-connect/contract";
import { moveConnection } from "../connections/connection.ts";
import type { Change } from "../decisions/change.ts";
import type { AccessPatch } from "../grants/grantRevoked.ts";
import { isInFlight, JOB_TRAITS } from "../jobs/job.ts";
import type { Retry } from "../jobs/retry.ts";
import { addMs, hasPassed } from "../time/time.ts";
import type { EndedJob, GrantFollowUp } from "./followUps.ts";
import { decideRevokeEnd } from "./revocation.ts";
import type { ConnectionFacts } from "./siblings.ts";

/**
 * The end of the revoke resumes the erasure. This bounds the delay if that task is lost, and the time until a client that waits
 * for the receipt polls again.
 */
const REVOKE_POLL_MS = 10_000;

/** No column of the profile remains. */
type ErasureStartPatch = AccessPatch & { readonly profile: null; readonly lastSuccessfulSyncAt: null };

/** The erasure of a disconnected connection starts; `null` if it had started already. Posts are deleted next. */
export function decideErasureStart(
  { status: disconnected }: { readonly status: ConnectionStatus },
  now: Date,
): Change<ErasureStartPatch> | null {
  const status = moveConnection(disconnected, "ERASE_STARTED");
  if (status === null) return null;
  return { patch: { status, profile: null, lastSuccessfulSyncAt: null, updatedAt: now }, followUps: [] };
}

export interface ErasureFacts {
  readonly job: { readonly failures: number };
  readonly connection: ConnectionFacts;
  /** null if its receipt was deleted. */
  readonly revoke: {
    readonly id: string;
    readonly status: JobStatus;
    readonly createdAt: Date;
    readonly nextRetryAt: Date | null;
  } | null;
}

export type ErasureEnd =
  /** The revoke still needs the credential. */
  | { readonly type: "WAIT"; readonly retry: Retry }
  /** Deletes the credential and the connection. `timedOutRevoke` is the change of a revoke that has not ended in 24 hours. */
  | { readonly type: "DELETE"; readonly timedOutRevoke: Change<EndedJob, GrantFollowUp> | null };

/** Posts and profile are deleted: may the credential be deleted too? Source: service description, part 4, disconnectConnection. */
export function decideErasureEnd({ job, connection, revoke }: ErasureFacts, now: Date): ErasureEnd {
  if (revoke === null || !isInFlight(revoke.status)) return { type: "DELETE", timedOutRevoke: null };
  const deadline = addMs(revoke.createdAt, JOB_TRAITS.REVOKE.retry.maxAgeMs);
  if (hasPassed(deadline, now)) {
    return { type: "DELETE", timedOutRevoke: decideRevokeEnd("rejected", { id: revoke.id, connection }, now) };
  }
  const attemptAt = Math.max(now.getTime(), revoke.nextRetryAt?.getTime() ?? 0);
  const at = new Date(Math.min(deadline.getTime(), attemptAt + REVOKE_POLL_MS));
  return { type: "WAIT", retry: { at, failures: job.failures, waitReason: "BEHIND_OTHER_WORK" } };
}

/** Numbers of deleted rows by table. */
export type DeletedCounts = Readonly<Record<string, number>>;

export function addCounts(before: DeletedCounts | null, deleted: DeletedCounts): Record<string, number> {
  const counts: Record<string, number> = { ...before };
  for (const [table, rows] of Object.entries(deleted)) counts[table] = (counts[table] ?? 0) + rows;
  return counts;
}
