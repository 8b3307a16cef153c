import type { ConnectCreatorAction, ConnectSessionStatus, SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import { type AttemptMove, isUnfinished, moveAttempt } from "../connect/connectAttempt.ts";
import { JOB_TRAITS } from "../jobs/job.ts";
import { retryDelayMs } from "../jobs/retry.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { addMs, hasPassed } from "../time/time.ts";
import type { GrantFollowUp } from "./followUps.ts";
import { type RevokeResult, recheckConnected } from "./revocation.ts";
import { accountRevocationKeys } from "./revocationKeys.ts";
import type { GrantOwner } from "./siblings.ts";

/** Grants have no failure count. This value sets the retry delay: about two minutes. */
const FAILURES = 7;

export interface OrphanAttempt extends SubjectScope {
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly status: ConnectSessionStatus;
  readonly expiresAt: Date;
}

export interface OrphanedGrant {
  readonly id: string;
  readonly createdAt: Date;
  /** null if the attempt was deleted. */
  readonly attempt: OrphanAttempt | null;
}

/** Whether a grant has no connection, and no attempt that may still create one. */
export function isOrphanedGrant(
  grant: {
    readonly status: string;
    readonly connectionId: string | null;
    /** Set on an import's grant, which was the user's before. */
    readonly importLineId?: string | null;
  },
  attempt: Pick<OrphanAttempt, "status" | "expiresAt"> | null,
  now: Date,
): boolean {
  if (grant.status !== "PENDING" || grant.connectionId !== null || grant.importLineId != null) return false;
  return attempt === null || !isUnfinished(attempt.status) || hasPassed(attempt.expiresAt, now);
}

interface DatedAttempt extends Omit<OrphanAttempt, "expiresAt"> {
  readonly registrationId: string;
  readonly createdAt: Date;
}

/** The attempts with which the subject has connected since: later ones at the same registration that completed. */
export function connectsSince(attempt: Omit<DatedAttempt, "status">) {
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId, createdAt } = attempt;
  const subject = { applicationId, tenantKey, externalSubjectId, provider, registrationId };
  return { ...subject, status: "COMPLETED", createdAt: { gt: createdAt } } as const;
}

export function isConnectSince(one: DatedAttempt, attempt: Omit<DatedAttempt, "status">): boolean {
  const { createdAt, ...wanted } = connectsSince(attempt);
  return (
    one.createdAt > createdAt.gt && Object.entries(wanted).every(([name, value]) => Reflect.get(one, name) === value)
  );
}

/**
 * Begins the revoke of an orphaned grant: a concurrent attempt with the account ends as POLICY_CHANGED. `null` if the grant
 * must not be revoked, because that could end the grant of a connection: it is only deleted.
 */
export function decideOrphanRevoke(
  { id, attempt }: OrphanedGrant,
  /** `isShared`: a connection that may have a valid grant has the account, or the subject has connected since the attempt. */
  { owner, isShared }: { readonly owner: GrantOwner | null; readonly isShared: boolean },
): GrantFollowUp[] | null {
  if (isShared) return null;
  if (owner === null || attempt === null) return [];
  const { applicationId, provider } = attempt;
  const keys = accountRevocationKeys({ ...owner, applicationId, provider });
  return [{ type: "BEGIN_REVOCATION", revocation: { id, applicationId, provider, keys, endedAt: null } }];
}

/** `shared`: not revoked, see `decideOrphanRevoke`. A transient failure has the data for its retry. */
export type OrphanRevokeResult =
  | RevokeResult
  | "shared"
  | { readonly retryAfterSeconds: number | null; readonly random: number };

export interface OrphanAttemptPatch extends Partial<AttemptMove> {
  readonly creatorAction: ConnectCreatorAction;
}

export type OrphanEnd =
  | { readonly type: "RETRY"; readonly at: Date; readonly followUps: readonly GrantFollowUp[] }
  /** Deletes the grant. `attempt` is null if the attempt does not change. */
  | {
      readonly type: "DELETE";
      readonly attempt: OrphanAttemptPatch | null;
      readonly followUps: readonly GrantFollowUp[];
    };

/**
 * Ends the revoke of an orphaned grant, or retries it after a transient failure for up to 24 hours. The account can be
 * connected before the retry, which begins again. If the grant may still exist, the attempt's result asks the person to
 * remove the app.
 */
export function decideOrphanEnd(
  { id, createdAt, attempt }: OrphanedGrant,
  result: OrphanRevokeResult,
  now: Date,
): OrphanEnd {
  const ended = { type: "END_REVOCATION", id } as const;
  if (typeof result === "object") {
    const at = addMs(now, retryDelayMs(FAILURES, result));
    if (!hasPassed(addMs(createdAt, JOB_TRAITS.REVOKE.retry.maxAgeMs), at))
      return { type: "RETRY", at, followUps: [ended] };
  }
  if (attempt === null || result === "shared") return { type: "DELETE", attempt: null, followUps: [ended] };
  if (result !== "revoked") return { type: "DELETE", attempt: leftGrant(attempt), followUps: [ended] };
  const { applicationId, tenantKey, externalSubjectId, provider } = attempt;
  // A revoke can end all of the user's grants to the client.
  const { revokeAffectsSiblings } = PROVIDER_TRAITS[provider];
  const recheck = revokeAffectsSiblings
    ? [recheckConnected({ applicationId, tenantKey, externalSubjectId, provider })]
    : [];
  return { type: "DELETE", attempt: null, followUps: [ended, ...recheck] };
}

/** An interrupted attempt is after its deadline. It expires here, because the sweep would set no creatorAction. */
function leftGrant({ status }: OrphanAttempt): OrphanAttemptPatch {
  return { ...moveAttempt(status, "DEADLINE_PASSED"), creatorAction: "REMOVE_APP_AT_PROVIDER" };
}
