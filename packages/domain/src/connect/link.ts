import type { Capability, ConnectionStatus } from "@social-connect/contract";
import {
  type ApplicationPolicy,
  type ApplicationReturnUrls,
  checkPolicy,
  mayReturnTo,
} from "../applications/policy.ts";
import type { SubjectScope } from "../applications/scope.ts";
import { isDisconnected } from "../connections/connection.ts";
import type { CausePatch } from "../connections/connectionCause.ts";
import type { Change } from "../decisions/change.ts";
import type { CallRefusals } from "../refusals/callRefusals.ts";
import { hasPassed } from "../time/time.ts";
import { type AttemptPatch, type ConnectAttemptEvent, changeAttempt } from "./connectAttempt.ts";
import type { NewConnectAttempt } from "./createSession.ts";
import { connectionCapabilities } from "./exchange.ts";

/** An account as the provider returns it after consent. */
export interface ConsentedProfile {
  readonly providerAccountId: string;
  readonly displayName: string | null;
  readonly handle: string | null;
  readonly avatarUrl: string | null;
  readonly profileUrl: string | null;
  readonly description: string | null;
}

export interface ObservedProfile extends ConsentedProfile {
  readonly observedAt: Date;
}

/** Whose account is linked, and with what. */
export type LinkRequest = SubjectScope &
  Pick<NewConnectAttempt, "applicationId" | "provider" | "registrationId" | "capabilities">;

/** What decides whether an account may be linked, whether its user consents now or its consent is imported. */
export interface AccountLinkFacts {
  readonly application: ApplicationPolicy | null;
  /** The published registration that serves the application at the provider. */
  readonly registration: { readonly id: string; readonly capabilities: readonly Capability[] } | null;
  /** A disconnect of the subject at the provider is still settling. */
  readonly isRevokeSettling: boolean;
  /** A revoke that affects the account is in progress, or has ended since the code exchange started. */
  readonly isAccountRevoked: boolean;
  /** The account is on the application's tester list, or the mode is live. */
  readonly mayConnect: boolean;
  readonly granted: readonly Capability[];
  readonly account: ConsentedProfile & { readonly providerUserKey: string | null };
  /** The scope's connection with this account that is not disconnected; null for a new connection. */
  readonly existing: { readonly hasGrant: boolean } | null;
  /** Id of the existing connection, or for a new one. */
  readonly connectionId: string;
}

export interface LinkFacts extends AccountLinkFacts {
  readonly attempt: Omit<NewConnectAttempt, "resultCode">;
  readonly application: (ApplicationPolicy & ApplicationReturnUrls) | null;
  readonly previewTemplate: string | null;
  /** The connection to reconnect; null when it was erased, or the attempt has none. */
  readonly target: { readonly status: ConnectionStatus; readonly providerAccountId: string } | null;
}

/** The columns of a connection that each consent replaces. */
export interface ConsentPatch extends Required<CausePatch> {
  readonly registrationId: string;
  readonly providerUserKey: string | null;
  readonly status: "CONNECTED";
  readonly capabilities: Capability[];
  /** Only with PROFILE. */
  readonly profile: ObservedProfile | null;
  readonly nextRetryAt: null;
  readonly suspendedByJobId: null;
  readonly appRemovedAt: null;
  readonly unreadableSince: null;
  readonly refusals: CallRefusals;
  readonly updatedAt: Date;
}

export interface NewConnection
  extends ConsentPatch,
    SubjectScope,
    Pick<NewConnectAttempt, "applicationId" | "provider"> {
  readonly id: string;
  readonly providerAccountId: string;
  readonly syncStatus: "PENDING";
  readonly scanErrorCode: null;
  readonly createdAt: Date;
}

export type LinkFollowUp =
  | { readonly type: "CREATE_CONNECTION"; readonly connection: NewConnection }
  | { readonly type: "UPDATE_CONNECTION"; readonly id: string; readonly patch: ConsentPatch }
  /** Metrics that were read under a wider consent must not return with a later consent. */
  | { readonly type: "DELETE_METRICS"; readonly connectionId: string }
  /** The attempt's pending grant becomes the connection's. */
  | { readonly type: "ATTACH_GRANT"; readonly patch: ReturnType<typeof attachedGrant> }
  /** The new tokens replace the stored ones; without a new refresh token, the stored one stays. */
  | { readonly type: "REPLACE_GRANT"; readonly connectionId: string; readonly patch: ReturnType<typeof replacedGrant> }
  | { readonly type: "ENQUEUE_INITIAL_READS"; readonly connectionId: string };

export type LinkDecision =
  | { readonly refusedBy: Exclude<ConnectAttemptEvent, "ACCOUNT_CONNECTED"> }
  | Change<AttemptPatch, LinkFollowUp>;

/**
 * Links an account whose user has consented. The policy may have changed since the redirect to the provider, so this repeats
 * every check. A connection that the scope has with the account keeps its id.
 */
export function decideLink(facts: LinkFacts, now: Date): LinkDecision {
  const { attempt, connectionId } = facts;
  if (attempt.status !== "EXCHANGING") return { refusedBy: "POLICY_CHANGED" };
  const event = exchangeEvent(facts, now);
  if (event !== "ACCOUNT_CONNECTED") return { refusedBy: event };
  return {
    patch: { ...changeAttempt(attempt, event), connectionId },
    followUps: [...linkAccountChanges(attempt, facts, now), { type: "ENQUEUE_INITIAL_READS", connectionId }],
  };
}

/** The connection and its grant. */
export function linkAccountChanges(request: LinkRequest, facts: AccountLinkFacts, now: Date): LinkFollowUp[] {
  const { granted, account, existing, connectionId } = facts;
  const isRefused = request.capabilities.includes("CONTENT_LIST") && !granted.includes("CONTENT_LIST");
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId } = request;
  const consent: ConsentPatch = {
    registrationId,
    providerUserKey: account.providerUserKey,
    status: "CONNECTED",
    cause: isRefused ? "PERMISSION_MISSING" : null,
    causeSince: isRefused ? now : null,
    capabilities: [...granted],
    profile: granted.includes("PROFILE") ? profileOf(account, now) : null,
    nextRetryAt: null,
    suspendedByJobId: null,
    appRemovedAt: null,
    unreadableSince: null,
    refusals: {},
    updatedAt: now,
  };
  const connection: NewConnection = {
    ...consent,
    id: connectionId,
    applicationId,
    tenantKey,
    externalSubjectId,
    provider,
    providerAccountId: account.providerAccountId,
    syncStatus: "PENDING",
    scanErrorCode: null,
    createdAt: now,
  };
  const isNarrower = existing !== null && !granted.includes("CONTENT_METRICS");
  return [
    existing === null
      ? { type: "CREATE_CONNECTION", connection }
      : { type: "UPDATE_CONNECTION", id: connectionId, patch: consent },
    ...(isNarrower ? [{ type: "DELETE_METRICS", connectionId } as const] : []),
    existing?.hasGrant
      ? { type: "REPLACE_GRANT", connectionId, patch: replacedGrant(registrationId, now) }
      : { type: "ATTACH_GRANT", patch: attachedGrant(connectionId, now) },
  ];
}

/**
 * How an attempt ends whose account could be read. The first reason applies: too late, no longer allowed, nothing granted,
 * not a tester, another account than the one to reconnect.
 */
function exchangeEvent(facts: LinkFacts, now: Date) {
  const { attempt, account, target } = facts;
  if (hasPassed(attempt.expiresAt, now)) return "DEADLINE_PASSED";
  if (!mayStillReturn(facts)) return "POLICY_CHANGED";
  const refusal = linkAccountRefusal(attempt, facts);
  if (refusal === "NO_CAPABILITY_GRANTED" || refusal === "NOT_A_TESTER") return refusal;
  if (refusal !== null) return "POLICY_CHANGED";
  const isOther = attempt.reconnectConnectionId !== null && target?.providerAccountId !== account.providerAccountId;
  return isOther ? "ACCOUNT_MISMATCH" : "ACCOUNT_CONNECTED";
}

/** Why the account may not be linked, whoever asks; null if it may. */
export function linkAccountRefusal(
  { tenantKey, provider, registrationId, capabilities }: LinkRequest,
  facts: Omit<AccountLinkFacts, "account" | "existing" | "connectionId">,
) {
  const { application, registration, granted } = facts;
  if (application === null || checkPolicy(application, { tenantKey, provider, capabilities: granted }) !== null)
    return "FORBIDDEN";
  const isServed =
    registration?.id === registrationId && granted.every((one) => registration.capabilities.includes(one));
  if (!isServed) return "PROVIDER_NOT_AVAILABLE";
  if (facts.isRevokeSettling || facts.isAccountRevoked) return "DISCONNECT_IN_PROGRESS";
  if (connectionCapabilities(capabilities, granted).length === 0) return "NO_CAPABILITY_GRANTED";
  if (!facts.mayConnect) return "NOT_A_TESTER";
  return null;
}

/** The application still has the attempt's return URL, and its connection to reconnect. */
function mayStillReturn({ attempt, application, target, previewTemplate }: LinkFacts): boolean {
  const { returnUrl, reconnectConnectionId } = attempt;
  return (
    application !== null &&
    mayReturnTo(returnUrl, application, previewTemplate) &&
    (reconnectConnectionId === null || (target !== null && !isDisconnected(target.status)))
  );
}

export function profileOf(account: ConsentedProfile, observedAt: Date): ObservedProfile {
  const { providerAccountId, displayName, handle, avatarUrl, profileUrl, description } = account;
  return { providerAccountId, displayName, handle, avatarUrl, profileUrl, description, observedAt };
}

function attachedGrant(connectionId: string, updatedAt: Date) {
  return { attemptId: null, connectionId, status: "ACTIVE", updatedAt } as const;
}

function replacedGrant(registrationId: string, updatedAt: Date) {
  return { registrationId, status: "ACTIVE", updatedAt } as const;
}
