import type { ReconnectCode } from "@social-connect/contract";
import { moveConnection, NO_READS } from "../connections/connection.ts";
import { type AccessPatch, decideGrantRevoked } from "../grants/grantRevoked.ts";
import { decideWait, grantEndCode, type JobFollowUp, succeededJob } from "../jobs/outcome.ts";
import { type DecidedCalls, decideCalls, NOTHING_KNOWN, type ReadConnectionFacts } from "../jobs/readCalls.ts";
import { decideRetry, type ProviderFault, type RetriedJob, type Retry } from "../jobs/retry.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import type { RegistrationCalls } from "../refusals/callRefusals.ts";
import type { GrantFollowUp, JobEnd } from "./followUps.ts";
import { recheckConnected } from "./revocation.ts";
import { type ConnectionFacts, mayHaveGrant, siblingsOf } from "./siblings.ts";

export interface RecheckCall {
  /** null if the provider returned the connection's account. */
  readonly fault: ProviderFault | null;
}

export type RecheckedConnection = ConnectionFacts & ReadConnectionFacts;

export interface GrantRecheckFacts {
  readonly job: RetriedJob;
  /** null if it was erased. */
  readonly connection: RecheckedConnection | null;
  /** null if the connection needed no re-check when the job started. */
  readonly call: RecheckCall | null;
  /** If the provider accepted the grant: a revocation that may have ended it during the call or may end it later. */
  readonly revocation: { readonly id: string; readonly isEnded: boolean; readonly isJob: boolean } | null;
  /** Needed after a refusal, and while the registration or the connection has one. */
  readonly registration?: RegistrationCalls | undefined;
}

export interface RecheckChange extends JobEnd {
  /** null if the connection does not change. */
  readonly patch: AccessPatch | null;
  /** Why the connection must be reconnected, if that is its new status. */
  readonly code: ReconnectCode | null;
}

/** True if the provider accepts the grant, also if it only rejects the scope. */
export function isGrantAccepted({ fault }: RecheckCall): boolean {
  return fault === null || fault.kind === "scope_missing";
}

/**
 * The result of checking at the provider whether a grant survived a revoke that may have ended it. A suspended connection
 * becomes CONNECTED or RECONNECT_REQUIRED, the latter also when the retries run out. A connected one, which a revoke can
 * affect without being its sibling's, stays CONNECTED or becomes RECONNECT_REQUIRED. A refusal with an unknown code does
 * not prove that the grant has ended: it counts as one of a read does.
 */
export function decideRecheck(facts: GrantRecheckFacts, jitter: () => number, now: Date): RecheckChange {
  const { job, connection, call, revocation, registration = NOTHING_KNOWN } = facts;
  const hasAnswer = connection !== null && call !== null && mayHaveGrant(connection.status);
  const { fault } = call ?? { fault: null };
  const result = fault === null ? ({ outcome: "succeeded" } as const) : ({ outcome: "interrupted", fault } as const);
  const calls = hasAnswer ? decideCalls(job, connection, result, jitter, now, registration) : null;
  const noted = calls === null ? [] : refusalChanges(calls, now);
  const wait = (retry: Retry): RecheckChange => {
    const { patch, followUps } = decideWait(job, retry, now);
    return { job: { patch, followUps: [...noted, ...followUps] }, patch: null, code: null, followUps: [] };
  };
  const finish = (
    patch: AccessPatch | null,
    code: ReconnectCode | null = null,
    followUps: readonly GrantFollowUp[] = [],
  ): RecheckChange => {
    const revokeJobId = connection?.suspendedByJobId ?? null;
    const settled = revokeJobId === null ? [] : [{ type: "DELETE_SETTLEMENT", revokeJobId } as const];
    return { job: { patch: succeededJob(now), followUps: noted }, patch, code, followUps: [...followUps, ...settled] };
  };
  // Reconnected or disconnected during the check.
  if (!hasAnswer) return finish(null);
  // The grant stays ACTIVE: the provider never reported it as revoked, so a disconnect must still revoke it.
  if (calls?.refused?.verdict === "ENDED") return finish(resume(connection, "RECHECK_FAILED", now), "CALLS_REFUSED");
  switch (fault?.kind) {
    case "unavailable":
    case "account_unreadable":
    case "application_refused":
    case "rate_limited":
    case "internal":
    case "access_expired":
    case "rejected": {
      const retry = decideRetry(job, fault, jitter(), now);
      return retry === null ? finish(resume(connection, "RECHECK_FAILED", now), "CHECK_FAILED") : wait(retry);
    }
    case "grant_gone": {
      const { patch, followUps } = decideGrantRevoked(connection, fault.appRemoved, now);
      // The cause may have ended other grants of the same consent, even if it was not a sibling's revoke.
      const { revokeAffectsSiblings } = PROVIDER_TRAITS[connection.provider];
      return finish(patch, grantEndCode(fault.appRemoved), [
        ...followUps,
        ...(revokeAffectsSiblings ? [recheckConnected(siblingsOf(connection))] : []),
      ]);
    }
  }
  if (revocation === null) return finish(resume(connection, "RECHECK_PASSED", now));
  // Another revoke may end this grant after the check. The end of a revoke job enqueues the next re-check.
  if (connection.status === "SUSPENDED" && !revocation.isEnded && revocation.isJob) {
    return finish({ suspendedByJobId: revocation.id });
  }
  // A revoke that ended during the call makes its response outdated, and the retries start again.
  const outdated = { kind: "unavailable", retryAfterSeconds: null } as const;
  const retry = decideRetry({ ...job, failures: 0, createdAt: now }, outdated, jitter(), now);
  return retry === null ? finish(null) : wait({ ...retry, waitReason: "BEHIND_OTHER_WORK" });
}

/** Empty without a refusal: an answer alone says nothing that a read needs. */
function refusalChanges({ columns, registration }: DecidedCalls, now: Date): JobFollowUp[] {
  const { refusals } = columns;
  return [
    ...(registration === null ? [] : [{ type: "CHANGE_REGISTRATION", ...registration } as const]),
    ...(refusals === undefined ? [] : [{ type: "CHANGE_CONNECTION", patch: { ...columns, updatedAt: now } } as const]),
  ];
}

/** A failed re-check stops background reads; a passed one keeps their schedule. */
function resume(
  { status: suspended }: ConnectionFacts,
  event: "RECHECK_PASSED" | "RECHECK_FAILED",
  now: Date,
): AccessPatch | null {
  const status = moveConnection(suspended, event);
  if (status === null) return null;
  return { status, suspendedByJobId: null, ...(event === "RECHECK_FAILED" && NO_READS), updatedAt: now };
}
