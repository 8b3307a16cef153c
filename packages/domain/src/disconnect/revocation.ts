import type { ConnectCreatorAction, JobErrorCode, JobStatus } from "@social-connect/contract";
import type { Change } from "../decisions/change.ts";
import { isInFlight } from "../jobs/job.ts";
import { decideWait } from "../jobs/outcome.ts";
import { decideRetry, type ProviderFault, type RetriedJob } from "../jobs/retry.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import type { EndedJob, GrantFollowUp, JobEnd } from "./followUps.ts";
import { type ConnectionFacts, type ConnectionFilter, connectionsOfOwner } from "./siblings.ts";

/**
 * The result of revoking a grant:
 * - `revoked`: the provider revoked it, or reported that it had ended already
 * - `app-removed`: the provider has reported that the person removed the app
 * - `rejected`: the provider refused permanently, or the retries ran out
 * - `unsupported`: the provider has no revoke endpoint
 */
export type RevokeResult = "revoked" | "app-removed" | "rejected" | "unsupported";

/** The result of a revoke call with this fault; null for a transient fault. */
export function revokeResultOf({ kind }: Pick<ProviderFault, "kind">): RevokeResult | null {
  switch (kind) {
    case "grant_gone":
      return "revoked";
    case "scope_missing":
    case "rejected":
      return "rejected";
    default:
      return null;
  }
}

export interface RevokeReceipt {
  readonly status: Extract<JobStatus, "SUCCEEDED" | "FAILED">;
  readonly errorCode: JobErrorCode | null;
  readonly creatorAction: ConnectCreatorAction | null;
}

/**
 * The result of the revoke receipt. If the grant may still exist, the person has to remove the app at the provider.
 * Source: service description, part 2, SyncJob.creatorAction; the error codes are this project's choice.
 */
export function revokeOutcome(result: RevokeResult): RevokeReceipt {
  switch (result) {
    case "revoked":
    case "app-removed":
      return { status: "SUCCEEDED", errorCode: null, creatorAction: null };
    case "rejected":
      return { status: "FAILED", errorCode: "REVOKE_REJECTED", creatorAction: "REMOVE_APP_AT_PROVIDER" };
    case "unsupported":
      return { status: "FAILED", errorCode: "REVOKE_UNSUPPORTED", creatorAction: "REMOVE_APP_AT_PROVIDER" };
  }
}

/** True until the revoke job has succeeded, also if it failed. Source: service description, part 2, DisconnectResult. */
export function upstreamRevocationPending(revokeJobStatus: JobStatus): boolean {
  return revokeJobStatus !== "SUCCEEDED";
}

/**
 * Ends a revoke job and settles the revoke: re-checks the connections that it suspended or that share its account through
 * another application, and resumes the erasure, which retained the credential. `connection` is null if it was erased.
 */
export function decideRevokeEnd(
  result: RevokeResult,
  { id, connection }: { readonly id: string; readonly connection: ConnectionFacts | null },
  now: Date,
): Change<EndedJob, GrantFollowUp> {
  return {
    patch: { ...revokeOutcome(result), nextRetryAt: null, waitReason: null, finishedAt: now },
    followUps: [
      // First, because it waits for re-checks that found the revoke in progress; the next ones then see their changes.
      { type: "END_REVOCATION", id },
      ...settleRevoke(id),
      ...(connection === null ? [] : followUpsOf(connection)),
    ],
  };
}

/** After a revoke has ended: re-checks the connections that it suspends, or lets the scope connect again. */
export function settleRevoke(revokeJobId: string): GrantFollowUp[] {
  return [
    { type: "RECHECK", connections: { suspendedByJobId: revokeJobId, status: "SUSPENDED" } },
    { type: "DELETE_SETTLEMENT", revokeJobId },
  ];
}

/** Ends an attempt at a revoke job. A transient fault is retried for up to 24 hours. */
export function decideRevokeAttempt(
  job: RetriedJob & { readonly id: string },
  result: RevokeResult | Pick<ProviderFault, "kind" | "retryAfterSeconds" | "quotaWindow" | "shareFreeAt">,
  connection: ConnectionFacts | null,
  jitter: () => number,
  now: Date,
): JobEnd {
  const isFault = typeof result === "object";
  const retry = isFault ? decideRetry(job, result, jitter(), now) : null;
  if (retry !== null) return { job: decideWait(job, retry, now), followUps: [] };
  const { patch, followUps } = decideRevokeEnd(isFault ? "rejected" : result, { id: job.id, connection }, now);
  return { job: { patch, followUps: [] }, followUps };
}

function followUpsOf(connection: ConnectionFacts): GrantFollowUp[] {
  const { applicationId, registrationId, eraseJobId, provider } = connection;
  // Applications can share one OAuth client, and the provider revokes the account's grants for all of them.
  const elsewhere = { ...connectionsOfOwner(registrationId, connection), NOT: { applicationId } };
  const { revokeAffectsSiblings } = PROVIDER_TRAITS[provider];
  return [
    ...(revokeAffectsSiblings ? [recheckConnected(elsewhere)] : []),
    ...(eraseJobId === null ? [] : [{ type: "RESUME_ERASURE", jobId: eraseJobId } as const]),
  ];
}

/** Re-checks active connections whose grants a revoke may have ended. Until then they can be read. */
export function recheckConnected(connections: ConnectionFilter): GrantFollowUp {
  return { type: "RECHECK", connections: { ...connections, status: "CONNECTED" } };
}

/** True once the revoke has ended and suspends no connection. `revokeStatus` is null if its receipt was deleted. */
export function isSettled(revokeStatus: JobStatus | null, suspendedConnections: number): boolean {
  return (revokeStatus === null || !isInFlight(revokeStatus)) && suspendedConnections === 0;
}
