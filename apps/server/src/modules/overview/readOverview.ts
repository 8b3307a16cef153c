import type { SocialProvider } from "@social-connect/contract";
import { addMs, backgroundUnits } from "@social-connect/domain";
import type { AdminApiKey, ApplicationKey, Prisma } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { countFullBudgets, type FullBudget } from "./countRows.ts";

type Reader = Pick<Service, "prisma" | "clock">;

/** How long before its expiry a key is listed. */
const EXPIRES_SOON_MS = 14 * 86_400_000;
/** Maximum number of listed keys; the full lists show the rest. */
const MAX_LISTED = 50;
const BY_EXPIRY = [{ expiresAt: "asc" as const }, { id: "asc" as const }];

/** Active admin keys that expire within two weeks. */
export async function listExpiringApiKeys<Query extends Prisma.AdminApiKeyFindManyArgs>(
  { prisma, clock }: Reader,
  query?: Query,
): Promise<AdminApiKey[]> {
  return prisma.adminApiKey.findMany({
    ...query,
    where: { ...expiresSoon(await clock.now()), memberId: { not: null } },
    orderBy: BY_EXPIRY,
    take: MAX_LISTED,
  });
}

/** Active application keys of enabled clients that expire within two weeks. */
export async function listExpiringCredentials<Query extends Prisma.ApplicationKeyFindManyArgs>(
  { prisma, clock }: Reader,
  query: Query,
): Promise<ApplicationKey[]> {
  return prisma.applicationKey.findMany({
    ...query,
    where: { ...expiresSoon(await clock.now()), application: { enabled: true } },
    orderBy: BY_EXPIRY,
    take: MAX_LISTED,
  });
}

function expiresSoon(now: Date) {
  return { revokedAt: null, expiresAt: { gt: now, lte: addMs(now, EXPIRES_SOON_MS) } };
}

export interface FullQuota extends FullBudget {
  readonly provider: SocialProvider;
  /** Whether each account has a separate budget. */
  readonly isPerAccount: boolean;
  readonly units: number;
}

/**
 * Published registrations whose daily quota is used up for background reads, which wait until the next day; requested
 * reads can use the rest. Quotas per minute are omitted, because they reset too soon to report.
 */
export async function listFullQuotas(
  service: Pick<Service, "prisma" | "pool" | "clock" | "provider">,
): Promise<FullQuota[]> {
  const registrations = await service.prisma.providerRegistration.findMany({
    where: { status: "PUBLISHED" },
    select: { id: true, provider: true, quota: true },
  });
  const quotas = new Map(
    registrations.flatMap(({ id, provider, quota: stored }) => {
      const quota = readQuota(service.provider(provider).traits.quota, stored);
      return quota.window === "minute" ? [] : [[id, { provider, quota }] as const];
    }),
  );
  const thresholds = [...quotas].map(([registrationId, { quota }]) => ({
    registrationId,
    used: backgroundUnits(quota),
  }));
  const budgets = await countFullBudgets(service.pool, await service.clock.now(), thresholds);
  return budgets.flatMap((budget) => {
    const known = quotas.get(budget.registrationId);
    if (known === undefined) return [];
    const { provider, quota } = known;
    return [{ ...budget, provider, isPerAccount: quota.per === "account", units: quota.units }];
  });
}
