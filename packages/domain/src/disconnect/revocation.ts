import type { ConnectCreatorAction, JobErrorCode, JobStatus, SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import type { Refusal } from "../decisions/refusal.ts";
import { refuse } from "../decisions/refusal.ts";
import { addMs } from "../time/time.ts";

/**
 * What came of giving a grant back:
 * - `revoked`: the provider took it back, or said that the credential was dead already
 * - `app-removed`: the provider told us that the person removed the app
 * - `rejected`: the provider refused for good, or the retries ran out
 * - `unsupported`: the provider has no such interface
 */
export type RevokeResult = "revoked" | "app-removed" | "rejected" | "unsupported";

export interface RevokeReceipt {
  readonly status: Extract<JobStatus, "SUCCEEDED" | "FAILED">;
  readonly errorCode: JobErrorCode | null;
  readonly creatorAction: ConnectCreatorAction | null;
}

/**
 * How the revoke receipt ends. Where the grant may still stand, the person has to remove the app at the provider.
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

/**
 * The receipt at the moment of the disconnect, where nothing has to be asked: the person removed the app already, or the
 * provider cannot be asked. null where a revoke job has to run.
 */
export function immediateRevokeOutcome(facts: {
  readonly canRevoke: boolean;
  readonly appRemoved: boolean;
}): RevokeReceipt | null {
  if (facts.appRemoved) return revokeOutcome("app-removed");
  return facts.canRevoke ? null : revokeOutcome("unsupported");
}

/** True until the revoke job has succeeded, also when it failed. Source: service description, part 2, DisconnectResult. */
export function upstreamRevocationPending(revokeJobStatus: JobStatus): boolean {
  return revokeJobStatus !== "SUCCEEDED";
}

/** Removals are reported in whole seconds, by a clock that is not the service's. */
const REMOVAL_TOLERANCE_MS = 5_000;

/**
 * The latest moment at which a grant was given or renewed that a provider's message "the person removed the app" ends. The
 * message can arrive late: a grant of a later consent stays. `removedAt` is null where the message does not say when.
 */
export function latestRemovedGrant(removedAt: Date | null, now: Date): Date {
  return removedAt === null ? now : addMs(removedAt, REMOVAL_TOLERANCE_MS);
}

export interface SiblingFacts extends SubjectScope {
  readonly id: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
  /** The provider's own id of the account. */
  readonly providerAccountId: string;
  /** The provider's id of the person behind the account; null when it is not known. */
  readonly providerUserKey: string | null;
}

/**
 * Whether revoking the grant of one connection may end the other's: another connection of the same application and provider
 * that shares the subject scope, the provider user where it is known, or the provider account. Two subjects can connect one
 * account, and a provider may end all grants of the account at once. Matters only where a revoke can reach further than its
 * own grant (a trait of the provider).
 */
export function isSibling(a: SiblingFacts, b: SiblingFacts): boolean {
  if (a.id === b.id || a.applicationId !== b.applicationId || a.provider !== b.provider) return false;
  const sameSubject = a.tenantKey === b.tenantKey && a.externalSubjectId === b.externalSubjectId;
  const sameUser = a.providerUserKey !== null && a.providerUserKey === b.providerUserKey;
  return sameSubject || sameUser || a.providerAccountId === b.providerAccountId;
}

/**
 * FORBIDDEN while a disconnect of the scope at the provider settles: its revoke is open, or an account that it suspended
 * has not been re-checked. The caller tries again later. Source: service description, part 4, createConnectSession.
 */
export function checkDisconnectSettled(settling: boolean): Refusal | null {
  return settling ? refuse("FORBIDDEN", "a disconnect at this provider is still being settled, try again later") : null;
}
