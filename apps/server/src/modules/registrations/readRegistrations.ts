import { type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { accepted, canStartConnect, canStartIdentity, notFound, unavailableReason } from "@social-connect/domain";
import type { Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/checkKey.ts";
import type { Service, Transaction } from "../service.ts";

/** The state of a provider for one application. */
export interface ServingRegistration {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly status: "PUBLISHED" | "PAUSED";
  readonly capabilities: readonly Capability[];
}

const serves = (applicationId: string) => ({
  OR: [{ allApplications: true }, { applications: { some: { applicationId } } }],
});

/** The registrations that serve an application, including paused ones; only the newest of each provider counts. */
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

/** The registration for connect attempts of an application at a provider; null if missing. */
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

/** All registrations, by provider, the newest first. */
export function listRegistrations<Query extends Prisma.ProviderRegistrationFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<ProviderRegistration[]> {
  return prisma.providerRegistration.findMany({
    ...query,
    orderBy: [{ provider: "asc" }, { createdAt: "desc" }, { id: "desc" }],
  });
}

/** One registration by its id. NOT_FOUND for an unknown id. */
export async function readRegistration(
  { prisma }: Service,
  id: string,
  query: Omit<Prisma.ProviderRegistrationFindUniqueArgs, "where"> = {},
): Promise<ProviderRegistration> {
  const registrationId = asUuid(id);
  const registration =
    registrationId && (await prisma.providerRegistration.findUnique({ ...query, where: { id: registrationId } }));
  return accepted(registration || notFound("The registration"));
}

export type Readiness = Awaited<ReturnType<typeof readReadiness>>;

/**
 * Whether an attempt could start now at each provider, with the registration that it would use, and whether the
 * identity handoff could. Calls no provider. Source: service description, part 2, IntegrationReadiness.
 */
export async function readReadiness(service: Service, { application }: Caller) {
  const registrations = await findServingRegistrations(service.reads.prisma, application.id);
  const providers = SOCIAL_PROVIDERS.map((provider) => {
    const registration = registrations.find((one) => one.provider === provider && one.status === "PUBLISHED") ?? null;
    return {
      provider,
      available: canStartConnect(application, provider, registration, service.previewOriginTemplate),
    };
  });
  return { providers, idpIdentityAvailable: canStartIdentity(application, service.issuer !== null) };
}

export type ProviderAvailability = Awaited<ReturnType<typeof readProviderAvailability>>[number];

/** Whether the deployment has a published registration at each provider, regardless of the clients it serves. */
export async function readProviderAvailability({ prisma }: Service) {
  const rows = await prisma.providerRegistration.findMany({
    distinct: ["provider", "status"],
    select: { provider: true, status: true },
  });
  return SOCIAL_PROVIDERS.map((provider) => {
    const reason = unavailableReason(rows.filter((row) => row.provider === provider).map(({ status }) => status));
    return { provider, available: reason === null, reason };
  });
}
