import type { Capability } from "@social-connect/contract";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import {
  checkPolicy,
  connectionRevocationKeys,
  exchangeEvent,
  isDisconnected,
  isSameScope,
  mayReturnTo,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import type { AccountProfile } from "../../providers/accounts.ts";
import type { Application, ConnectAttempt, Connection, Grant } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { profileOf } from "../connections/profile.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { findRevocationSince } from "../grants/revocations.ts";
import { enqueueInitialReads } from "../jobs/backgroundReads.ts";
import { findPublishedRegistration } from "../registrations/findRegistration.ts";
import { isRevokeSettling, move } from "./attempts.ts";

export interface ConsentedAccount {
  readonly grant: Grant;
  readonly account: AccountProfile;
  readonly granted: readonly Capability[];
  /** The account's script is `not-a-tester`. */
  readonly notATester: boolean;
  /** The revocation counter at the start of the code exchange. */
  readonly since: number;
}

/**
 * Links a consented account after checking the current state. An account that the scope already has keeps its connection
 * and id; its new grant replaces the old one. Returns the refusal, or null.
 */
export function linkAccount(
  world: World,
  attempt: ConnectAttempt,
  consented: ConsentedAccount,
): Exclude<ConnectAttemptEvent, "ACCOUNT_CONNECTED"> | null {
  if (attempt.status !== "EXCHANGING") return "POLICY_CHANGED";
  const event = decide(world, attempt, consented);
  if (event !== "ACCOUNT_CONNECTED") return event;
  const connection = writeConnection(world, attempt, consented);
  attachGrant(world, attempt, connection.id, consented.grant);
  enqueueInitialReads(world, connection);
  move(attempt, "ACCOUNT_CONNECTED");
  attempt.connectionId = connection.id;
  return null;
}

/** Checks everything again, because the policy may have changed while the person was at the provider. */
function decide(world: World, attempt: ConnectAttempt, consented: ConsentedAccount): ConnectAttemptEvent {
  const { account, granted } = consented;
  const { provider, tenantKey, reconnectConnectionId } = attempt;
  const application = world.state.applications.get(attempt.applicationId);
  const registration = findPublishedRegistration(world, attempt.applicationId, provider);
  const target = reconnectConnectionId === null ? undefined : world.state.connections.get(reconnectConnectionId);
  const keys = connectionRevocationKeys({ ...attempt, ...account }, PROVIDER_TRAITS[provider]);
  const stillAllowed =
    application !== undefined &&
    checkPolicy(application, { tenantKey, provider, capabilities: granted }) === null &&
    mayReturnTo(attempt.returnUrl, application, world.settings.previewOriginTemplate) &&
    registration?.id === attempt.registrationId &&
    granted.every((capability) => registration.capabilities.includes(capability)) &&
    !isRevokeSettling(world, attempt.applicationId, attempt, provider) &&
    findRevocationSince(world, keys, consented.since) === null &&
    (reconnectConnectionId === null || (target !== undefined && !isDisconnected(target.status)));
  const facts = {
    expiresAt: attempt.expiresAt,
    stillAllowed,
    requested: attempt.capabilities,
    granted,
    mayConnect:
      world.settings.mode === "live" || (application !== undefined && isTester(application, attempt, consented)),
    providerAccountId: account.providerAccountId,
    reconnectAccountId: target?.providerAccountId ?? null,
  };
  return exchangeEvent(facts, world.now());
}

function isTester({ testers }: Application, { provider }: ConnectAttempt, consented: ConsentedAccount): boolean {
  if (testers === "everyone") return !consented.notATester;
  const { providerAccountId } = consented.account;
  return testers.some((one) => one.provider === provider && one.providerAccountId === providerAccountId);
}

function writeConnection(world: World, attempt: ConnectAttempt, { account, granted }: ConsentedAccount): Connection {
  const now = world.now();
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId } = attempt;
  const fresh = {
    registrationId,
    providerUserKey: account.providerUserKey,
    status: "CONNECTED" as const,
    capabilities: [...granted],
    profile: granted.includes("PROFILE") ? profileOf(account, now) : null,
    nextRetryAt: null,
    suspendedByJobId: null,
    appRemovedAt: null,
    updatedAt: now,
  };
  const existing = findLive(world, attempt, account.providerAccountId);
  if (existing !== undefined) {
    if (!granted.includes("CONTENT_METRICS")) deleteMetrics(world, existing.id);
    return Object.assign(existing, fresh);
  }
  const connection: Connection = {
    ...fresh,
    id: world.newId(),
    applicationId,
    tenantKey,
    externalSubjectId,
    provider,
    providerAccountId: account.providerAccountId,
    syncStatus: "PENDING",
    lastSuccessfulSyncAt: null,
    nextScanAt: null,
    nextProfileAt: null,
    revokeJobId: null,
    eraseJobId: null,
    createdAt: now,
  };
  world.state.connections.set(connection.id, connection);
  return connection;
}

/** Metrics that were read under a wider consent do not return with a later consent. */
function deleteMetrics(world: World, connectionId: string): void {
  const posts = world.state.content.get(connectionId);
  for (const [id, post] of posts ?? []) posts?.set(id, { ...post, metrics: [] });
}

function findLive(world: World, attempt: ConnectAttempt, providerAccountId: string): Connection | undefined {
  for (const one of world.state.connections.values()) {
    if (one.applicationId !== attempt.applicationId || one.provider !== attempt.provider) continue;
    if (!isSameScope(one, attempt) || isDisconnected(one.status)) continue;
    if (one.providerAccountId === providerAccountId) return one;
  }
  return undefined;
}

/** Moves the pending grant to the connection. Without a new refresh token, the stored one stays. */
function attachGrant(world: World, attempt: ConnectAttempt, connectionId: string, given: Grant): void {
  const now = world.now();
  const stored = grantOfConnection(world, connectionId);
  if (stored === null) {
    Object.assign(given, { attemptId: null, connectionId, status: "ACTIVE", updatedAt: now } satisfies Partial<Grant>);
    return;
  }
  const { accessTokenExpiresAt, hasRefreshToken, refreshTokenExpiresAt, providerGrantId } = given;
  Object.assign(stored, {
    accessTokenExpiresAt,
    ...(hasRefreshToken ? { hasRefreshToken, refreshTokenExpiresAt } : {}),
    providerGrantId,
    registrationId: attempt.registrationId,
    status: "ACTIVE",
    version: stored.version + 1,
    updatedAt: now,
  } satisfies Partial<Grant>);
  world.state.grants.delete(given.id);
}
