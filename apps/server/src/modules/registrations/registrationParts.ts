import { shownOverride, shownQuota, type Touched } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import {
  type ProviderAddresses,
  type ProviderScopes,
  providerAddresses,
  providerScopes,
  readQuota,
  readQuotaOverride,
} from "../../providers/registration.ts";
import { countConnections, NOT_DISCONNECTED } from "../audit/countConnections.ts";
import type { Service, Transaction } from "../service.ts";

/** The stored parts of a registration, which were validated when written. */
export function readAddresses({ addresses }: Pick<ProviderRegistration, "addresses">): ProviderAddresses {
  return providerAddresses.parse(addresses);
}

export function readScopes({ scopes }: Pick<ProviderRegistration, "scopes">): ProviderScopes {
  return providerScopes.parse(scopes);
}

/** A registration's quota as the admin API shows it: what applies, the provider's default, and its own part. */
export function quotasOf(
  { provider }: Pick<Service, "provider">,
  registration: Pick<ProviderRegistration, "provider" | "quota">,
) {
  const usual = provider(registration.provider).traits.quota;
  return {
    quota: shownQuota(readQuota(usual, registration.quota)),
    defaultQuota: shownQuota(usual),
    quotaOverride: shownOverride(readQuotaOverride(registration.quota)),
  };
}

/** How many connections were made through a registration, in any status. */
export function countConnectionsOf({ prisma }: Pick<Service, "prisma">, id: string): Promise<number> {
  return prisma.connection.count({ where: { registrationId: id } });
}

/** What stopping a registration touches: connections that are not disconnected, with their posts, and the clients that have some. */
export async function measureStop(client: Service["prisma"] | Transaction, registrationId: string): Promise<Touched> {
  const where = { registrationId };
  const counts = await countConnections(client, where);
  const clients = await client.connection.groupBy({ by: ["applicationId"], where: { ...where, ...NOT_DISCONNECTED } });
  return { ...counts, clients: clients.length };
}

/**
 * What a new list of clients touches: the clients that the registration no longer serves, and their connections through it, which
 * can then no longer be read. `null`: it serves all.
 */
export async function measureUnserved(
  client: Service["prisma"] | Transaction,
  registrationId: string,
  clientIds: readonly string[] | null,
): Promise<Touched> {
  if (clientIds === null) return {};
  const registration = await client.providerRegistration.findUnique({
    where: { id: registrationId },
    select: { allApplications: true, applications: { select: { applicationId: true } } },
  });
  if (registration === null) return {};
  const served = registration.applications.map(({ applicationId }) => applicationId);
  const unserved = registration.allApplications
    ? { notIn: [...clientIds] }
    : { in: served.filter((id) => !clientIds.includes(id)) };
  const clients = await client.application.count({ where: { id: unserved } });
  return clients === 0
    ? {}
    : { ...(await countConnections(client, { registrationId, applicationId: unserved })), clients };
}
