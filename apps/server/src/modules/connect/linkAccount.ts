import type { Capability } from "@social-connect/contract";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import { checkPolicy, connectionRevocationKeys, exchangeEvent, mayReturnTo } from "@social-connect/domain";
import type { ConnectAttempt, Connection, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { lockAllUntilCommit } from "../../platform/locks.ts";
import type { ProviderAccount, ProviderTokens } from "../../providers/contract.ts";
import { siblingLocks } from "../connections/locks.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import { enqueueInitialReads } from "../jobs/enqueueInitialReads.ts";
import { findPublishedRegistration } from "../registrations/readRegistrations.ts";
import { findRevocationSince } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";
import { move } from "./receiveCallback.ts";
import { isRevokeSettling, lockAttempt, subject } from "./store.ts";

export interface ConsentedAccount {
  readonly grantId: string;
  readonly tokens: ProviderTokens;
  readonly account: ProviderAccount;
  readonly granted: readonly Capability[];
}

export type LinkResult =
  | { readonly outcome: "linked"; readonly attempt: ConnectAttempt }
  | { readonly outcome: "refused"; readonly event: ConnectAttemptEvent };

/**
 * Turns a consented account into a connection, in one transaction that repeats every check. If the scope already has
 * the account, the connection keeps its ID and the new grant replaces the old one.
 */
export async function linkAccount(
  service: Service,
  attempt: ConnectAttempt,
  consented: ConsentedAccount,
): Promise<LinkResult> {
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    await lockAllUntilCommit(transaction, siblingLocks({ ...attempt, ...consented.account }, attempt));
    const current = await lockAttempt(transaction, attempt.id);
    if (current?.status !== "EXCHANGING") return { outcome: "refused", event: "POLICY_CHANGED" };
    const event = await decide(service, transaction, attempt, consented, now);
    if (event !== "ACCOUNT_CONNECTED") return { outcome: "refused", event };

    const existing = await findLive(transaction, attempt, consented.account);

    const connection = await writeConnection(transaction, attempt, consented, existing, now);
    await attachGrant(service, transaction, attempt, connection.id, consented, now);
    await enqueueInitialReads(service, transaction, connection, now);
    await move(transaction, current, "ACCOUNT_CONNECTED");
    return {
      outcome: "linked",
      attempt: await transaction.connectAttempt.update({
        where: { id: attempt.id },
        data: { connectionId: connection.id },
      }),
    };
  });
}

function findLive(
  transaction: Transaction,
  attempt: ConnectAttempt,
  account: ProviderAccount,
): Promise<Connection | null> {
  return transaction.connection.findFirst({
    where: {
      applicationId: attempt.applicationId,
      ...subject(attempt),
      provider: attempt.provider,
      liveAccountId: account.providerAccountId,
    },
  });
}

/**
 * Decides how the attempt ends from the current state. Checks made before the redirect to the provider may be stale.
 */
async function decide(
  service: Service,
  transaction: Transaction,
  attempt: ConnectAttempt,
  { account, granted }: ConsentedAccount,
  now: Date,
): Promise<ConnectAttemptEvent> {
  const { provider, tenantKey, reconnectConnectionId } = attempt;
  const application = await transaction.application.findUniqueOrThrow({ where: { id: attempt.applicationId } });
  const registration = await findPublishedRegistration(transaction, application.id, provider);
  const target =
    reconnectConnectionId === null
      ? null
      : await transaction.connection.findUnique({ where: { id: reconnectConnectionId } });
  const stillAllowed =
    checkPolicy(application, { tenantKey, provider, capabilities: granted }) === null &&
    mayReturnTo(attempt.returnUrl, application, service.previewOriginTemplate) &&
    registration?.id === attempt.registrationId &&
    granted.every((capability) => registration.capabilities.includes(capability)) &&
    !(await isRevokeSettling(transaction, application.id, attempt, provider)) &&
    !(await isAccountRevoked(service, transaction, attempt, account)) &&
    (reconnectConnectionId === null || target?.liveAccountId != null);
  const facts = {
    expiresAt: attempt.expiresAt,
    stillAllowed,
    requested: attempt.capabilities,
    granted,
    mayConnect: service.mode === "live" || (await isTester(transaction, attempt, account)),
    providerAccountId: account.providerAccountId,
    reconnectAccountId: target?.providerAccountId ?? null,
  };
  return exchangeEvent(facts, now);
}

/** Whether a revoke that affects the account is in progress, or has ended since the code exchange started. */
async function isAccountRevoked(
  service: Service,
  transaction: Transaction,
  attempt: ConnectAttempt,
  account: ProviderAccount,
): Promise<boolean> {
  const keys = connectionRevocationKeys({ ...attempt, ...account }, service.provider(attempt.provider).traits);
  return (await findRevocationSince(transaction, keys, attempt.exchangeGeneration ?? 0n)) !== null;
}

async function isTester(transaction: Transaction, attempt: ConnectAttempt, account: ProviderAccount): Promise<boolean> {
  const { applicationId, provider } = attempt;
  const { providerAccountId } = account;
  return (await transaction.tester.count({ where: { applicationId, provider, providerAccountId } })) > 0;
}

async function writeConnection(
  transaction: Transaction,
  attempt: ConnectAttempt,
  { account, granted }: ConsentedAccount,
  existing: Connection | null,
  now: Date,
): Promise<Connection> {
  const data = {
    registrationId: attempt.registrationId,
    providerUserKey: account.providerUserKey,
    status: "CONNECTED",
    capabilities: [...granted],
    ...profileOf(account, granted, now),
    nextRetryAt: null,
    suspendedByJobId: null,
    appRemovedAt: null,
    updatedAt: now,
  } satisfies Prisma.ConnectionUncheckedUpdateInput;
  if (existing !== null) {
    await clearUngrantedMetrics(transaction, existing.id, granted);
    return transaction.connection.update({ where: { id: existing.id }, data });
  }
  return transaction.connection.create({
    data: {
      ...data,
      id: newId(),
      applicationId: attempt.applicationId,
      tenantKey: attempt.tenantKey,
      externalSubjectId: attempt.externalSubjectId,
      provider: attempt.provider,
      providerAccountId: account.providerAccountId,
      liveAccountId: account.providerAccountId,
      syncStatus: "PENDING",
      createdAt: now,
    },
  });
}

/** Deletes metrics read under a wider consent, so that a later consent does not restore them. */
async function clearUngrantedMetrics(
  transaction: Transaction,
  connectionId: string,
  granted: readonly Capability[],
): Promise<void> {
  if (granted.includes("CONTENT_METRICS")) return;
  await transaction.contentItem.updateMany({
    where: { connectionId, metricsObservedAt: { not: null } },
    data: { metrics: [], metricsObservedAt: null },
  });
}

/** Identifies the account for every connection; stores the rest of the profile only if PROFILE was granted. */
function profileOf(account: ProviderAccount, granted: readonly Capability[], now: Date) {
  const isGranted = granted.includes("PROFILE");
  return {
    displayName: isGranted ? account.displayName : null,
    handle: isGranted ? account.handle : null,
    avatarUrl: isGranted ? account.avatarUrl : null,
    profileUrl: isGranted ? account.profileUrl : null,
    description: isGranted ? account.description : null,
    profileObservedAt: isGranted ? now : null,
  };
}

/** Attaches the pending grant to the connection. Without a new refresh token, the stored one remains. */
async function attachGrant(
  service: Service,
  transaction: Transaction,
  attempt: ConnectAttempt,
  connectionId: string,
  { grantId, tokens }: ConsentedAccount,
  now: Date,
): Promise<void> {
  const stored = await transaction.grant.findUnique({ where: { connectionId } });
  if (stored === null) {
    await transaction.grant.update({
      where: { id: grantId },
      data: { attemptId: null, connectionId, status: "ACTIVE", ownerSealed: null, updatedAt: now },
    });
    return;
  }
  const sealed = sealTokens(service.secretBox, stored.id, tokens);
  const { refreshTokenSealed, refreshTokenExpiresAt, ...access } = sealed;
  await transaction.grant.update({
    where: { id: stored.id },
    data: {
      ...access,
      ...(refreshTokenSealed === null ? {} : { refreshTokenSealed, refreshTokenExpiresAt }),
      registrationId: attempt.registrationId,
      status: "ACTIVE",
      version: { increment: 1 },
      renewalStartedAt: null,
      updatedAt: now,
    },
  });
  await transaction.grant.delete({ where: { id: grantId } });
}
