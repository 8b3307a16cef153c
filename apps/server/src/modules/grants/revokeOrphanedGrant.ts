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

/** Grants have no failure count. This value sets the retry delay: about two minutes. */
const FAILURES = 7;

/**
 * Revokes and deletes a grant without a connection, whose attempt failed after consent or whose process crashed. If it
 * cannot be revoked, the attempt's `creatorAction` requests that the user remove the app. A grant shared with a working
 * connection is only deleted: see `begin`.
 */
export async function revokeOrphanedGrant(service: Service, grantId: string): Promise<void> {
  const grant = await findGrant(service.prisma, grantId);
  const now = await service.clock.now();
  if (grant === null || !(await isOrphaned(service, grantId, now))) return;
  const orphan = { grant, attempt: await findAttempt(service, grant.attemptId) };
  const adapter = service.provider(grant.registration.provider);
  let result: RevokeResult;
  try {
    if ((await begin(service, adapter, orphan)) === "shared") return await finish(service, orphan, "revoked", now);
    result = await revokeGrant(service, adapter, () => findGrant(service.prisma, grantId));
  } catch (error) {
    const { retryAfterSeconds } = asProviderError(service, grantId, error);
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: service.jitter() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      await service.prisma.$transaction(async (transaction) => {
        // The account can be connected before the retry, which checks for sharing again.
        await endRevocation(transaction, grantId, now);
        await service.queue.enqueue(transaction, "revokeOrphanedGrant", { id: grantId }, { startAfter: at, now });
      });
      return;
    }
    result = "rejected";
  }
  await finish(service, orphan, result, now);
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
 * Decides, under the account's locks, whether the grant may be revoked, and if so records the revocation: a concurrent
 * attempt for the account ends as POLICY_CHANGED. If a revoke can end other grants, a grant is not revoked while a
 * working connection shares it or after its subject has connected again. An unknown account is read first, because
 * another subject may have connected it.
 */
async function begin(
  service: Service,
  adapter: ProviderAdapter,
  { grant, attempt }: Orphan,
): Promise<"shared" | "started"> {
  const { provider } = grant.registration;
  if (!adapter.traits.revokeAffectsSiblings) return "started";
  const owner = ownerOf(service, grant) ?? (await readOrphanOwner(service, adapter, grant));
  const account = owner && attempt && { ...owner, applicationId: attempt.applicationId, provider };
  return service.prisma.$transaction(async (transaction) => {
    if (account !== null) await lockAllUntilCommit(transaction, accountLocks(account));
    if (attempt !== null && (await hasConnectedSince(transaction, attempt))) return "shared";
    if (owner !== null && (await isGrantShared(transaction, grant.registrationId, owner))) return "shared";
    if (account === null) return "started";
    const { applicationId } = account;
    await beginRevocation(transaction, { id: grant.id, applicationId, provider, keys: accountRevocationKeys(account) });
    return "started";
  });
}

/** null if the owner is unknown or cannot be decrypted; in the latter case the tokens cannot be decrypted either. */
function ownerOf(service: Service, grant: GrantWithOwner): GrantOwner | null {
  try {
    return openOwner(service.secretBox, grant);
  } catch (error) {
    service.logger.error({ err: error, grantId: grant.id }, "failed to decrypt the owner of a grant");
    return null;
  }
}

/** A revoke can end all of the user's grants to the client, so the subject's other connections are re-checked. */
async function recheckSubject(service: Service, { grant, attempt }: Orphan, now: Date): Promise<void> {
  if (attempt === null || !service.provider(grant.registration.provider).traits.revokeAffectsSiblings) return;
  const { applicationId, tenantKey, externalSubjectId, provider } = attempt;
  const where = { applicationId, tenantKey, externalSubjectId, provider };
  await service.prisma.$transaction((transaction) => orderRechecks(service, transaction, where, now));
}

/**
 * Treats unexpected errors as transient. The retry limit also covers permanent ones, such as a grant that cannot be
 * decrypted.
 */
function asProviderError({ logger }: Service, grantId: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  logger.error({ err: error, grantId }, "revoking a grant failed with an unexpected error");
  return new ProviderError("unavailable", "unexpected error");
}

async function finish(service: Service, { grant, attempt }: Orphan, result: RevokeResult, now: Date): Promise<void> {
  await service.prisma.$transaction(async (transaction) => {
    await endRevocation(transaction, grant.id, now);
    const { count } = await transaction.grant.deleteMany({
      where: { id: grant.id, status: "PENDING", connectionId: null },
    });
    if (count === 0 || result === "revoked" || attempt === null) return;
    // An interrupted attempt is after its deadline. It expires here, because the sweep does not know of this grant and
    // would set no creatorAction.
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

/** Whether a later attempt of the same subject at the same registration completed. */
async function hasConnectedSince(transaction: Transaction, attempt: ConnectAttempt): Promise<boolean> {
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId, createdAt } = attempt;
  const subject = { applicationId, tenantKey, externalSubjectId, provider, registrationId };
  const later = { ...subject, status: "COMPLETED", createdAt: { gt: createdAt } } as const;
  return (await transaction.connectAttempt.count({ where: later })) > 0;
}

/** Whether the grant has no connection, and no attempt that may still create one. */
async function isOrphaned(service: Service, grantId: string, now: Date): Promise<boolean> {
  const grant = await service.prisma.grant.findUnique({ where: { id: grantId }, include: { attempt: true } });
  if (grant === null || grant.status !== "PENDING" || grant.connectionId !== null) return false;
  const { attempt } = grant;
  return attempt === null || !isUnfinished(attempt.status) || hasPassed(attempt.expiresAt, now);
}

/** Finds grants without a task, whose process crashed between consent and the end of the attempt. */
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
