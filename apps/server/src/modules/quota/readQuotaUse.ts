import { quotaShare } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
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
      budget: per === "client" ? "client" : { startsWith: READ_BUDGET },
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
  const served = await prisma.application.findMany({
    where: {
      enabled: true,
      ...(!registration.allApplications && { registrations: { some: { registrationId: registration.id } } }),
    },
    select: { id: true },
  });
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
