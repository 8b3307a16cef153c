import type { Capability, SocialProvider } from "@social-connect/contract";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

/** What the service says about a provider to one application. */
export interface ServingRegistration {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly status: "PUBLISHED" | "PAUSED";
  readonly capabilities: readonly Capability[];
}

const serves = (applicationId: string) => ({
  OR: [{ allApplications: true }, { applications: { some: { applicationId } } }],
});

/** The registrations that serve an application, paused ones included; at most one a provider counts, the newest. */
export async function findServingRegistrations(
  client: Service["prisma"] | Transaction,
  applicationId: string,
): Promise<ServingRegistration[]> {
  const rows = await client.providerRegistration.findMany({
    where: { status: { in: ["PUBLISHED", "PAUSED"] }, ...serves(applicationId) },
    select: { id: true, provider: true, status: true, capabilities: true },
    orderBy: [{ status: "asc" }, { createdAt: "desc" }],
  });
  return rows.map((row) => ({ ...row, status: row.status === "PAUSED" ? "PAUSED" : "PUBLISHED" }));
}

export async function loadRegistration(
  client: Service["prisma"] | Transaction,
  registrationId: string,
): Promise<ProviderRegistration> {
  return client.providerRegistration.findUniqueOrThrow({ where: { id: registrationId } });
}

/** The registration that starts and finishes connect attempts of an application at a provider; null where there is none. */
export async function findPublishedRegistration(
  client: Service["prisma"] | Transaction,
  applicationId: string,
  provider: SocialProvider,
): Promise<ProviderRegistration | null> {
  return client.providerRegistration.findFirst({
    where: { provider, status: "PUBLISHED", ...serves(applicationId) },
    orderBy: { createdAt: "desc" },
  });
}
