import type { SocialProvider } from "@social-connect/contract";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { countFullBudgets } from "./store.ts";

export interface FullQuota {
  readonly registrationId: string;
  readonly provider: SocialProvider;
  /** Each account has a budget of its own. */
  readonly isPerAccount: boolean;
  /** How many of its budgets are as full. */
  readonly count: number;
  /** Calls, of the budget that is used the most. */
  readonly used: number;
  readonly units: number;
  /** When the count begins anew. */
  readonly endsAt: Date;
}

/**
 * Published registrations that have used what the service's own re-reads may use of a day's calls: these wait until the
 * next day, and callers are left with the rest. A budget of a minute is full and empty again before anybody looks.
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
    used: Math.floor(quota.units * (1 - quota.reserve)),
  }));
  const budgets = await countFullBudgets(service.pool, await service.clock.now(), thresholds);
  return budgets.flatMap((budget) => {
    const known = quotas.get(budget.registrationId);
    if (known === undefined) return [];
    const { provider, quota } = known;
    return [{ ...budget, provider, isPerAccount: quota.per === "account", units: quota.units }];
  });
}
