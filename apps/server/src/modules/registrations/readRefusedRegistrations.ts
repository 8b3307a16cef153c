import type { RefusedClient, RefusedRegistration } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { isClientSecretUsable } from "./clientSecret.ts";

/** The registrations whose secret does not decrypt, or whose row was changed outside of the service. */
export async function readRefusedRegistrations({
  reads,
  secretBox,
}: Pick<Service, "reads" | "secretBox">): Promise<RefusedRegistration[]> {
  const rows = await reads.prisma.providerRegistration.findMany({ orderBy: { id: "asc" } });
  return rows.filter((row) => !isClientSecretUsable(secretBox, row));
}

/** The registrations whose client the provider refuses. */
export async function readRefusedClients({ reads }: Pick<Service, "reads">): Promise<RefusedClient[]> {
  const rows = await reads.prisma.providerRegistration.findMany({
    where: { refusedSince: { not: null }, status: { in: ["PUBLISHED", "PAUSED"] } },
    select: { id: true, provider: true, refusedSince: true },
    orderBy: { id: "asc" },
  });
  return rows.flatMap(({ refusedSince, ...row }) => (refusedSince === null ? [] : [{ ...row, refusedSince }]));
}
