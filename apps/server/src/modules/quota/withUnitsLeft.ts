import { backgroundUnits, mayTakeUnit, quotaWindow } from "@social-connect/domain";
import type { Connection, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { accountBudget } from "./meteredAccess.ts";
import { readServedClients, sharedBudgets } from "./readQuotaUse.ts";

type Caller = Pick<Connection, "applicationId" | "providerAccountId">;

/**
 * The connections for which a background read finds a unit of each of the registration's budgets, and of the application's share
 * of it. Takes none.
 */
export async function withUnitsLeft<Row extends Caller>(
  { prisma, provider }: Pick<Service, "prisma" | "provider">,
  registration: ProviderRegistration,
  connections: readonly Row[],
  now: Date,
): Promise<Row[]> {
  const quota = readQuota(provider(registration.provider).traits.quota, registration.quota);
  const [limit, window] = [backgroundUnits(quota), quotaWindow(quota.window, now)];
  const nameOf = ({ providerAccountId }: Caller) => accountBudget(registration.id, providerAccountId);
  const budgets = await prisma.providerQuota.findMany({
    where: {
      ...{ registrationId: registration.id, windowStart: window.start },
      budget: quota.per === "account" ? { in: connections.map(nameOf) } : sharedBudgets(quota.per),
    },
    include: { uses: { select: { applicationId: true, used: true } } },
  });
  if (quota.per === "account") {
    const usedUp = new Set(budgets.flatMap(({ budget, used }) => (used >= limit ? [budget] : [])));
    return connections.filter((connection) => !usedUp.has(nameOf(connection)));
  }
  const served = await readServedClients(prisma, registration);
  return connections.filter(({ applicationId }) =>
    budgets.every(({ used: total, uses }) => {
      const others = uses.filter((use) => use.applicationId !== applicationId);
      const newcomers = served.some(
        ({ id }) => id !== applicationId && !others.some((use) => use.applicationId === id),
      );
      const own = uses.find((use) => use.applicationId === applicationId)?.used ?? 0;
      const shared = { limit, total, own, others: others.map(({ used }) => used), newcomers };
      return mayTakeUnit(shared, window, now);
    }),
  );
}
