import { shownOverride, shownQuota } from "@social-connect/domain";
import type { Application, ProviderRegistration } from "../../_generated/prisma/client.ts";
import {
  type ProviderAddresses,
  type ProviderScopes,
  providerAddresses,
  providerScopes,
  readQuota,
  readQuotaOverride,
} from "../../providers/registration.ts";
import type { Service } from "../service.ts";

/** The stored parts of a registration, which were validated when written. */
export function readAddresses({ addresses }: ProviderRegistration): ProviderAddresses {
  return providerAddresses.parse(addresses);
}

export function readScopes({ scopes }: ProviderRegistration): ProviderScopes {
  return providerScopes.parse(scopes);
}

/** A registration's quota as the admin API shows it: what applies, the provider's default, and its own part. */
export function quotasOf({ provider }: Pick<Service, "provider">, registration: ProviderRegistration) {
  const usual = provider(registration.provider).traits.quota;
  return {
    quota: shownQuota(readQuota(usual, registration.quota)),
    defaultQuota: shownQuota(usual),
    quotaOverride: shownOverride(readQuotaOverride(registration.quota)),
  };
}

/** Ids of the clients a registration serves; null when it serves all. */
export async function servedClientIds(
  { prisma }: Pick<Service, "prisma">,
  { id, allApplications }: ProviderRegistration,
): Promise<string[] | null> {
  if (allApplications) return null;
  const rows = await prisma.registrationApplication.findMany({ where: { registrationId: id } });
  return rows.map(({ applicationId }) => applicationId).toSorted();
}

/** The clients a registration serves, in the order of their slugs; null when it serves all. */
export async function servedClients(
  { prisma }: Pick<Service, "prisma">,
  { id, allApplications }: ProviderRegistration,
): Promise<Application[] | null> {
  if (allApplications) return null;
  return prisma.application.findMany({
    where: { registrations: { some: { registrationId: id } } },
    orderBy: { slug: "asc" },
  });
}

/** How many connections were made through a registration, in any status. */
export function countConnectionsOf({ prisma }: Pick<Service, "prisma">, id: string): Promise<number> {
  return prisma.connection.count({ where: { registrationId: id } });
}
