import type { RevokeResult } from "@social-connect/domain";
import { addMs, hasPassed, isUnfinished, RETRY_BOUNDS, retryDelayMs } from "@social-connect/domain";
import { ProviderError } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { giveBackGrant } from "./giveBackGrant.ts";
import { findGrant } from "./store.ts";

/** A grant has no count of failures; this many stand for the range that a later try is drawn from, about two minutes. */
const FAILURES = 7;

/**
 * Gives back a grant that became no connection, because its attempt failed after consent or its process died, and deletes
 * it. Where it could not be given back, the attempt's result says that the person has to remove the app. Where one consent
 * stands behind all of a person's grants, it is only deleted once the subject has connected after all.
 */
export async function revokeOrphanedGrant(service: Service, grantId: string): Promise<void> {
  const grant = await findGrant(service.prisma, grantId);
  const now = await service.clock.now();
  if (grant === null || !(await isOrphaned(service, grantId, now))) return;
  const adapter = service.provider(grant.registration.provider);
  if (adapter.traits.revokeAffectsSiblings && (await hasConnectedSince(service, grant.attemptId))) {
    return forget(service, grantId, grant.attemptId, "revoked");
  }
  let result: RevokeResult;
  try {
    result = await giveBackGrant(service, adapter, () => findGrant(service.prisma, grantId));
  } catch (error) {
    const { retryAfterSeconds } = asProviderError(service, grantId, error);
    const at = addMs(now, retryDelayMs(FAILURES, { retryAfterSeconds, random: service.jitter() }));
    if (!hasPassed(addMs(grant.createdAt, RETRY_BOUNDS.REVOKE.maxAgeMs), at)) {
      const { queue } = service;
      await service.prisma.$transaction((transaction) =>
        queue.enqueue(transaction, "revokeOrphanedGrant", { id: grantId }, { startAfter: at, now }),
      );
      return;
    }
    result = "rejected";
  }
  await forget(service, grantId, grant.attemptId, result);
}

/** What is not the provider's own answer may pass, and does not keep a grant for ever either: one that does not open, say. */
function asProviderError({ logger }: Service, grantId: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  logger.error({ err: error, grantId }, "giving back a grant met an unexpected fault");
  return new ProviderError("unavailable", "an unexpected fault");
}

async function forget(
  service: Service,
  grantId: string,
  attemptId: string | null,
  result: RevokeResult,
): Promise<void> {
  await service.prisma.$transaction(async (transaction) => {
    const { count } = await transaction.grant.deleteMany({
      where: { id: grantId, status: "PENDING", connectionId: null },
    });
    if (count === 0 || result === "revoked" || attemptId === null) return;
    await transaction.connectAttempt.updateMany({
      where: { id: attemptId },
      data: { creatorAction: "REMOVE_APP_AT_PROVIDER" },
    });
  });
}

/** Whether a later attempt of the same subject at the same registration came to a connection. */
async function hasConnectedSince(service: Service, attemptId: string | null): Promise<boolean> {
  const attempt =
    attemptId === null ? null : await service.prisma.connectAttempt.findUnique({ where: { id: attemptId } });
  if (attempt === null) return false;
  const { applicationId, tenantKey, externalSubjectId, provider, registrationId, createdAt } = attempt;
  const subject = { applicationId, tenantKey, externalSubjectId, provider, registrationId };
  const later = { ...subject, status: "COMPLETED", createdAt: { gt: createdAt } } as const;
  return (await service.prisma.connectAttempt.count({ where: later })) > 0;
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
