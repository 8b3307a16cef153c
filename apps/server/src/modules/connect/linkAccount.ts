import type { Capability } from "@social-connect/contract";
import {
  type ConsentPatch,
  connectionRevocationKeys,
  decideLink,
  type LinkDecision,
  type LinkFollowUp,
  type LinkRequest,
  type SubjectScope,
} from "@social-connect/domain";
import type { ConnectAttempt, Tester } from "../../_generated/prisma/client.ts";
import { lockAllUntilCommit } from "../../platform/database/locks.ts";
import { newId } from "../../platform/ids.ts";
import type { ProviderAccount, StoredTokens } from "../../providers/contract.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { siblingLocks } from "../connections/locks.ts";
import { sealNewTokens } from "../grants/sealTokens.ts";
import { enqueueInitialReads } from "../jobs/enqueueBackgroundReads.ts";
import { asJson } from "../registrations/callRefusals.ts";
import { findPublishedRegistration } from "../registrations/readRegistrations.ts";
import { findRevocationSince } from "../revocations/providerRevocations.ts";
import { keyOf } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { changeAttempt, lockAttempt } from "./attemptRow.ts";
import { isRevokeSettling, subject } from "./store.ts";

export interface ConsentedAccount {
  readonly grantId: string;
  readonly tokens: StoredTokens;
  readonly account: ProviderAccount;
  readonly granted: readonly Capability[];
}

/**
 * Turns a consented account into a connection, in one transaction that repeats every check. If the scope already has
 * the account, the connection keeps its ID and the new grant replaces the old one.
 */
export async function linkAccount(
  service: Service,
  attempt: ConnectAttempt,
  consented: ConsentedAccount,
): Promise<Extract<LinkDecision, { refusedBy: unknown }> | ConnectAttempt> {
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    await lockAllUntilCommit(transaction, siblingLocks({ ...attempt, ...consented.account }, attempt));
    const current = await lockAttempt(transaction, attempt);
    if (current === null) return { refusedBy: "POLICY_CHANGED" };
    const facts = {
      ...(await readLinkFacts(
        service,
        transaction,
        { ...current, since: current.exchangeGeneration ?? 0n },
        consented,
      )),
      attempt: current,
      previewTemplate: service.previewOriginTemplate,
      target: await findTarget(transaction, current),
    };
    const change = decideLink(facts, now);
    if ("refusedBy" in change) return change;
    for (const followUp of change.followUps)
      await applyLinkFollowUp(service, transaction, attempt.applicationId, followUp, consented, now);
    return changeAttempt(service, transaction, current, change.patch, now);
  });
}

async function findTarget(transaction: Transaction, { applicationId, reconnectConnectionId: id }: ConnectAttempt) {
  return id === null ? null : transaction.connection.findUnique({ where: keyOf({ id, applicationId }) });
}

/**
 * What decides whether an account may be linked. The caller holds the locks of `siblingLocks`. `since` is the counter of
 * revocations when the grant was last known to be good.
 */
export async function readLinkFacts(
  service: Service,
  transaction: Transaction,
  request: LinkRequest & { readonly since: bigint },
  { account, granted }: Pick<ConsentedAccount, "account" | "granted">,
) {
  const { applicationId, provider } = request;
  const { providerAccountId } = account;
  const keys = connectionRevocationKeys({ ...request, ...account }, service.provider(provider).traits);
  const live = { applicationId, ...subject(request), provider, liveAccountId: providerAccountId };
  const existing = await transaction.connection.findFirst({
    where: live,
    include: { grant: { select: { id: true } } },
  });
  return {
    application: await transaction.application.findUnique({ where: { id: applicationId } }),
    registration: await findPublishedRegistration(transaction, applicationId, provider),
    isRevokeSettling: await isRevokeSettling(transaction, applicationId, request, provider),
    isAccountRevoked: (await findRevocationSince(transaction, applicationId, keys, request.since)) !== null,
    mayConnect: await mayConnect(service, transaction, { applicationId, provider, providerAccountId }),
    granted,
    account,
    existing: existing && { status: existing.status, hasGrant: existing.grant !== null },
    connectionId: existing?.id ?? newId(),
  };
}

/** The same before the provider has named the account; null: the account is not known. */
export async function readStartFacts(
  service: Service,
  request: SubjectScope & Pick<LinkRequest, "applicationId" | "provider">,
  providerAccountId: string | null,
) {
  const { prisma } = service;
  const { applicationId, provider } = request;
  const account = { applicationId, provider, providerAccountId: providerAccountId ?? "" };
  return {
    registration: await findPublishedRegistration(prisma, applicationId, provider),
    isRevokeSettling: await isRevokeSettling(prisma, applicationId, request, provider),
    mayConnect: providerAccountId === null || (await mayConnect(service, prisma, account)),
  };
}

/** In sandbox mode, only the application's testers can connect. */
async function mayConnect(
  { mode }: Service,
  client: Service["prisma"] | Transaction,
  tester: Pick<Tester, "applicationId" | "provider" | "providerAccountId">,
): Promise<boolean> {
  const where = { applicationId_provider_providerAccountId: tester };
  return mode === "live" || (await client.tester.findUnique({ where })) !== null;
}

/** Applies a change of a linked account. `grantId` is its pending grant. */
export async function applyLinkFollowUp(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  followUp: LinkFollowUp,
  { grantId, tokens, account }: Omit<ConsentedAccount, "granted">,
  now: Date,
): Promise<void> {
  switch (followUp.type) {
    case "CREATE_CONNECTION":
      await transaction.connection.create({
        data: { ...columnsOf(followUp.connection), liveAccountId: account.providerAccountId },
      });
      return;
    case "UPDATE_CONNECTION":
      await changeConnection(service, transaction, { id: followUp.id, applicationId }, columnsOf(followUp.patch), now);
      return;
    case "DELETE_METRICS":
      await transaction.contentItem.updateMany({
        where: { applicationId, connectionId: followUp.connectionId, metricsObservedAt: { not: null } },
        data: { metrics: [], metricsObservedAt: null },
      });
      return;
    case "ATTACH_GRANT":
      await transaction.grant.update({
        where: keyOf({ id: grantId, applicationId }),
        data: { ...followUp.patch, ownerSealed: null, importLineId: null, capabilities: [] },
      });
      return;
    case "REPLACE_GRANT":
      return replaceGrant(service, transaction, applicationId, followUp, { grantId, tokens });
    case "ENQUEUE_INITIAL_READS": {
      const where = keyOf({ id: followUp.connectionId, applicationId });
      const connection = await transaction.connection.findUniqueOrThrow({ where });
      return enqueueInitialReads(service, transaction, connection, now);
    }
  }
}

function columnsOf<Patch extends ConsentPatch>({ profile, refusals, ...columns }: Patch) {
  const { observedAt = null, displayName = null, handle = null, avatarUrl = null, profileUrl = null } = profile ?? {};
  const description = profile?.description ?? null;
  const shown = { displayName, handle, avatarUrl, profileUrl, description, profileObservedAt: observedAt };
  return { ...columns, ...shown, callRefusals: asJson(refusals) };
}

/** Raises the version, so that a renewal of the replaced tokens that is still running stores nothing. */
async function replaceGrant(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  { connectionId, patch }: Extract<LinkFollowUp, { type: "REPLACE_GRANT" }>,
  { grantId, tokens }: Pick<ConsentedAccount, "grantId" | "tokens">,
): Promise<void> {
  const where = { connectionId_applicationId: { connectionId, applicationId } };
  const stored = await transaction.grant.findUniqueOrThrow({ where, select: { id: true, refreshTokenSealed: true } });
  const columns = sealNewTokens(service.secretBox, stored, tokens);
  const fence = { version: { increment: 1 }, renewalStartedAt: null, renewalUnanswered: false };
  await transaction.grant.update({ where, data: { ...patch, ...columns, ...fence } });
  await transaction.grant.delete({ where: keyOf({ id: grantId, applicationId }) });
}
