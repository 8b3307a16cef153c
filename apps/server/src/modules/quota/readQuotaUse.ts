import { quotaShare } from "@social-connect/domain";
import type { Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { readQuota } from "../../providers/registration.ts";
import type { Service } from "../service.ts";
import { READ_BUDGET } from "./meteredAccess.ts";

/** What was used of a budget that clients share, in the current window. */
export type BudgetUse = Awaited<ReturnType<typeof readQuotaUse>>[number];

/** By the name of the read; empty before the window's first call, and if each account has its own budget. */
export async function readQuotaUse(
  { prisma, clock, provider }: Pick<Service, "prisma" | "clock" | "provider">,
  registration: Pick<ProviderRegistration, "id" | "provider" | "quota" | "allApplications">,
) {
  const { units, per } = readQuota(provider(registration.provider).traits.quota, registration.quota);
  if (per === "account") return [];
  const now = await clock.now();
  const budgets = await prisma.providerQuota.findMany({
    where: {
      registrationId: registration.id,
      budget: sharedBudgets(per),
      windowStart: { lte: now },
      windowEndsAt: { gt: now },
    },
    orderBy: [{ budget: "asc" }, { windowStart: "asc" }],
    select: {
      budget: true,
      used: true,
      windowEndsAt: true,
      uses: { select: { used: true, application: { select: { id: true, slug: true } } } },
    },
  });
  const served = await readServedClients(prisma, registration);
  return budgets.map(({ budget, used, windowEndsAt: endsAt, uses }) => {
    const hasUsed = new Set(uses.map(({ application }) => application.id));
    const newcomers = served.some(({ id }) => !hasUsed.has(id));
    const share = quotaShare(units, uses.length, newcomers);
    const clients = uses.map(({ application: { id: clientId, slug: clientSlug }, used: own }) => {
      return { clientId, clientSlug, used: own, share };
    });
    return {
      read: budget.startsWith(READ_BUDGET) ? budget.slice(READ_BUDGET.length) : null,
      used,
      units,
      endsAt,
      // For clients without calls in this window.
      keptForOthers: newcomers ? share : 0,
      clients: clients.toSorted((one, other) => (one.clientSlug < other.clientSlug ? -1 : 1)),
    };
  });
}

/** The names of the budgets that clients share. */
export function sharedBudgets(per: "client" | "read"): string | { readonly startsWith: string } {
  return per === "client" ? "client" : { startsWith: READ_BUDGET };
}

/** The enabled clients that the registration serves, and that share its budgets. */
export function readServedClients(
  prisma: Service["prisma"],
  { id: registrationId, allApplications }: Pick<ProviderRegistration, "id" | "allApplications">,
  among: Prisma.ApplicationWhereInput = {},
): Promise<{ readonly id: string }[]> {
  return prisma.application.findMany({
    where: { ...among, enabled: true, ...(!allApplications && { registrations: { some: { registrationId } } }) },
    select: { id: true },
  });
}
