import type { Connection, Grant, Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** A grant with its registration and connection; `connection` is null while the grant belongs to an attempt. */
export type GrantWithOwner = Grant & {
  readonly registration: ProviderRegistration;
  readonly connection: Pick<
    Connection,
    "id" | "applicationId" | "provider" | "providerAccountId" | "capabilities"
  > | null;
};

const OWNER = {
  registration: true,
  connection: {
    select: { id: true, applicationId: true, provider: true, providerAccountId: true, capabilities: true },
  },
} as const;

export async function findGrantOfConnection(
  client: Service["prisma"] | Transaction,
  { id: connectionId, applicationId }: RowKey,
): Promise<GrantWithOwner | null> {
  const connectionId_applicationId = { connectionId, applicationId };
  return client.grant.findUnique({ where: { connectionId_applicationId }, include: OWNER });
}

export async function findGrant(
  client: Service["prisma"] | Transaction,
  grant: RowKey,
): Promise<GrantWithOwner | null> {
  return client.grant.findUnique({ where: keyOf(grant), include: OWNER });
}

/**
 * Records the start of a renewal, in unmovable clock time. null if another process was first or the grant has changed.
 */
export async function startRenewal(service: Service, grant: Grant): Promise<Date | null> {
  const renewalStartedAt = await service.clock.unmoved();
  const { count } = await service.prisma.grant.updateMany({
    where: { ...versionOf(grant), renewalStartedAt: grant.renewalStartedAt, status: { not: "GONE" } },
    data: { renewalStartedAt },
  });
  return count === 1 ? renewalStartedAt : null;
}

/** Ends a renewal without new tokens, unless another process has started one since. */
export async function endRenewal(
  service: Service,
  grant: Grant,
  startedAt: Date,
  { isUnanswered, isReusable }: { readonly isUnanswered: boolean; readonly isReusable: boolean },
): Promise<void> {
  await service.prisma.grant.updateMany({
    where: { ...versionOf(grant), renewalStartedAt: startedAt },
    data: { ...(isReusable && { renewalStartedAt: null }), ...(isUnanswered && { renewalUnanswered: true }) },
  });
}

/** Stores a renewal with optimistic locking. False if the grant was replaced or deleted since it was read. */
export async function storeRenewal(
  { prisma }: Service,
  grant: Grant,
  patch: Prisma.GrantUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await prisma.grant.updateMany({ where: versionOf(grant), data: patch });
  return count === 1;
}

function versionOf({ id, applicationId, version }: Grant): RowKey & Pick<Grant, "version"> {
  return { id, applicationId, version };
}
