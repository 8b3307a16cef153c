import type { Capability } from "@social-connect/contract";
import {
  type ConsentPatch,
  connectionRevocationKeys,
  decideLink,
  type LinkDecision,
  type LinkFacts,
  type LinkFollowUp,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { lockAllUntilCommit } from "../../platform/database/locks.ts";
import { newId } from "../../platform/ids.ts";
import type { ProviderAccount, ProviderTokens } from "../../providers/contract.ts";
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
  readonly tokens: ProviderTokens;
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
    const change = decideLink(await readFacts(service, transaction, current, consented), now);
    if ("refusedBy" in change) return change;
    for (const followUp of change.followUps)
      await applyFollowUp(service, transaction, attempt.applicationId, followUp, consented, now);
    return changeAttempt(transaction, current, change.patch);
  });
}

async function readFacts(
  service: Service,
  transaction: Transaction,
  attempt: ConnectAttempt,
  { account, granted }: ConsentedAccount,
): Promise<LinkFacts> {
  const { applicationId, provider, reconnectConnectionId } = attempt;
  const { providerAccountId } = account;
  const keys = connectionRevocationKeys({ ...attempt, ...account }, service.provider(provider).traits);
  const live = { applicationId, ...subject(attempt), provider, liveAccountId: providerAccountId };
  const existing = await transaction.connection.findFirst({
    where: live,
    include: { grant: { select: { id: true } } },
  });
  const isTester = { applicationId_provider_providerAccountId: { applicationId, provider, providerAccountId } };
  return {
    attempt,
    application: await transaction.application.findUnique({ where: { id: applicationId } }),
    previewTemplate: service.previewOriginTemplate,
    registration: await findPublishedRegistration(transaction, applicationId, provider),
    target:
      reconnectConnectionId === null
        ? null
        : await transaction.connection.findUnique({ where: keyOf({ id: reconnectConnectionId, applicationId }) }),
    isRevokeSettling: await isRevokeSettling(transaction, applicationId, attempt, provider),
    isAccountRevoked:
      (await findRevocationSince(transaction, applicationId, keys, attempt.exchangeGeneration ?? 0n)) !== null,
    mayConnect: service.mode === "live" || (await transaction.tester.findUnique({ where: isTester })) !== null,
    granted,
    account,
    existing: existing && { hasGrant: existing.grant !== null },
    connectionId: existing?.id ?? newId(),
  };
}

async function applyFollowUp(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  followUp: LinkFollowUp,
  { grantId, tokens, account }: ConsentedAccount,
  now: Date,
): Promise<void> {
  switch (followUp.type) {
    case "CREATE_CONNECTION":
      await transaction.connection.create({
        data: { ...columnsOf(followUp.connection), liveAccountId: account.providerAccountId },
      });
      return;
    case "UPDATE_CONNECTION":
      await transaction.connection.update({
        where: keyOf({ id: followUp.id, applicationId }),
        data: columnsOf(followUp.patch),
      });
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
        data: { ...followUp.patch, ownerSealed: null },
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
