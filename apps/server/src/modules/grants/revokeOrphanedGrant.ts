import type { RevokeResult } from "@social-connect/domain";
import {
  accountRevocationKeys,
  addMs,
  hasPassed,
  isUnfinished,
  moveAttempt,
  RETRY_BOUNDS,
  retryDelayMs,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { lockAllUntilCommit } from "../../platform/locks.ts";
import type { ProviderAdapter } from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import { accountLocks } from "../connections/locks.ts";
import { orderRechecks } from "../connections/orderRechecks.ts";
import { beginRevocation, endRevocation } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";
import type { GrantOwner } from "./grantOwner.ts";
import { isGrantShared, openOwner } from "./grantOwner.ts";
import { readOrphanOwner } from "./readOrphanOwner.ts";
import { revokeGrant } from "./revokeGrant.ts";
import type { GrantWithOwner } from "./store.ts";
import { findGrant } from "./store.ts";

/** A grant has no count of failures; this many stand for the range that a later try is drawn from, about two minutes. */
const FAILURES = 7;

/**
 * Revokes a grant that became no connection, because its attempt failed after consent or its process died, and deletes it.
 * Where it could not be revoked, the attempt's result says that the person has to remove the app. A grant that a working
 * connection shares is only deleted: see `begin`.
 */
export async function revokeOrphanedGrant(service: Service, grantId: string): Promise<void> {
  const grant = await findGrant(service.prisma, grantId);
  const now = await service.clock.now();
  if (grant === null || !(await isOrphaned(service, grantId, now))) return;
  const orphan = { grant, attempt: await findAttempt(service, grant.attemptId) };
  const adapter = service.provider(grant.registration.provider);
  let result: RevokeResult;
  try {
    if ((await begin(service, adapter, orphan)) === "shared") return await forget(service, orphan, "revoked", now);
    result = await revokeGrant(service, adapter, () => findGrant(service.prisma, grantId));
  } catch (error) {
    const { retryAfterSeconds } = asProviderError(service, grantId, error);
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: service.jitter() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      await service.prisma.$transaction(async (transaction) => {
        // Until the retry the account can be connected; whether it was is asked again then.
        await endRevocation(transaction, grantId, now);
        await service.queue.enqueue(transaction, "revokeOrphanedGrant", { id: grantId }, { startAfter: at, now });
      });
      return;
    }
    result = "rejected";
  }
  await forget(service, orphan, result, now);
  if (result === "revoked") await recheckSubject(service, orphan, now);
}

interface Orphan {
  readonly grant: GrantWithOwner;
  readonly attempt: ConnectAttempt | null;
}

async function findAttempt(service: Service, id: string | null): Promise<ConnectAttempt | null> {
  return id === null ? null : service.prisma.connectAttempt.findUnique({ where: { id } });
}

/**
 * Decides under the account's locks whether the grant may be revoked, and if so records that it is being revoked: an attempt
 * that consents with the account meanwhile ends POLICY_CHANGED. Where a revoke can end other grants, one that a working
 * connection shares is not revoked, and neither is one of a subject who has connected since. An account that is not known
 * yet is read first, because another subject may have connected it.
 */
async function begin(
  service: Service,
  adapter: ProviderAdapter,
  { grant, attempt }: Orphan,
): Promise<"shared" | "begun"> {
  const { provider } = grant.registration;
  if (!adapter.traits.revokeAffectsSiblings) return "begun";
  const owner = ownerOf(service, grant) ?? (await readOrphanOwner(service, adapter, grant));
  const account = owner && attempt && { ...owner, applicationId: attempt.applicationId, provider };
  return service.prisma.$transaction(async (transaction) => {
    if (account !== null) await lockAllUntilCommit(transaction, accountLocks(account));
    if (attempt !== null && (await hasConnectedSince(transaction, attempt))) return "shared";
    if (owner !== null && (await isGrantShared(transaction, grant.registrationId, owner))) return "shared";
    if (account === null) return "begun";
    const { applicationId } = account;
    await beginRevocation(transaction, { id: grant.id, applicationId, provider, keys: accountRevocationKeys(account) });
    return "begun";
  });
}

/** null where it is unknown, also because its key is gone: then the tokens do not open either. */
function ownerOf(service: Service, grant: GrantWithOwner): GrantOwner | null {
  try {
    return openOwner(service.secretBox, grant);
  } catch (error) {
    service.logger.error({ err: error, grantId: grant.id }, "the owner of a grant could not be read");
    return null;
  }
}

/** At some providers a revoke ends all that the person gave the client, so what the subject has there is asked about. */
async function recheckSubject(service: Service, { grant, attempt }: Orphan, now: Date): Promise<void> {
  if (attempt === null || !service.provider(grant.registration.provider).traits.revokeAffectsSiblings) return;
  const { applicationId, tenantKey, externalSubjectId, provider } = attempt;
  const where = { applicationId, tenantKey, externalSubjectId, provider };
  await service.prisma.$transaction((transaction) => orderRechecks(service, transaction, where, now));
}

/** What is not the provider's own answer may pass, and does not keep a grant for ever either: one that does not open, say. */
function asProviderError({ logger }: Service, grantId: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  logger.error({ err: error, grantId }, "giving back a grant met an unexpected fault");
  return new ProviderError("unavailable", "an unexpected fault");
}

async function forget(service: Service, { grant, attempt }: Orphan, result: RevokeResult, now: Date): Promise<void> {
  await service.prisma.$transaction(async (transaction) => {
    await endRevocation(transaction, grant.id, now);
    const { count } = await transaction.grant.deleteMany({
      where: { id: grant.id, status: "PENDING", connectionId: null },
    });
    if (count === 0 || result === "revoked" || attempt === null) return;
    // An attempt that was cut off is past its deadline by now. It expires here, because the sweep that expires the rest
    // knows nothing of this grant and would write that nothing is left to remove.
    for (const status of ["CREATED", "AUTHORIZING", "EXCHANGING"] as const) {
      const expired = moveAttempt(status, "DEADLINE_PASSED");
      if (expired === null) continue;
      await transaction.connectAttempt.updateMany({
        where: { id: attempt.id, status },
        data: { ...expired, codeVerifierSealed: null },
      });
    }
    await transaction.connectAttempt.updateMany({
      where: { id: attempt.id },
      data: { creatorAction: "REMOVE_APP_AT_PROVIDER" },
    });
  });
}

/** Whether a later attempt of the same subject at the same registration came to a connection. */
async function hasConnectedSince(transaction: Transaction, attempt: ConnectAttempt): Promise<boolean> {
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId, createdAt } = attempt;
  const subject = { applicationId, tenantKey, externalSubjectId, provider, registrationId };
  const later = { ...subject, status: "COMPLETED", createdAt: { gt: createdAt } } as const;
  return (await transaction.connectAttempt.count({ where: later })) > 0;
}

/** Of no connection, and of no attempt that may still make one of it. */
async function isOrphaned(service: Service, grantId: string, now: Date): Promise<boolean> {
  const grant = await service.prisma.grant.findUnique({ where: { id: grantId }, include: { attempt: true } });
  if (grant === null || grant.status !== "PENDING" || grant.connectionId !== null) return false;
  const { attempt } = grant;
  return attempt === null || !isUnfinished(attempt.status) || hasPassed(attempt.expiresAt, now);
}

/** Grants that no task takes care of any more: their process died between the consent and the attempt's end. */
export async function findOrphanedGrants(service: Service, now: Date, limit: number): Promise<string[]> {
  const rows = await service.prisma.grant.findMany({
    where: {
      status: "PENDING",
      connectionId: null,
      OR: [
        { attempt: null },
        { attempt: { status: { notIn: ["CREATED", "AUTHORIZING", "EXCHANGING"] } } },
        { attempt: { expiresAt: { lte: now } } },
      ],
    },
    select: { id: true },
    orderBy: { createdAt: "asc" },
    take: limit,
  });
  return rows.map(({ id }) => id);
}
