import { describeAnswer, type RefusedClient, type RefusedRegistration } from "@social-connect/domain";
import type { Service } from "../service.ts";
import { registrationRefusalsOf } from "./callRefusals.ts";
import { isClientSecretUsable } from "./clientSecret.ts";

/** The registrations whose secret does not decrypt, or whose row was changed outside of the service, without disabled ones. */
export async function readRefusedRegistrations({
  reads,
  secretBox,
}: Pick<Service, "reads" | "secretBox">): Promise<RefusedRegistration[]> {
  const rows = await reads.prisma.providerRegistration.findMany({
    where: { status: { not: "DISABLED" } },
    orderBy: { id: "asc" },
  });
  return rows.filter((row) => !isClientSecretUsable(secretBox, row));
}

/** The registrations whose client the provider refuses, or of which it refuses most connections. */
export async function readRefusedClients({ reads }: Pick<Service, "reads">): Promise<RefusedClient[]> {
  const rows = await reads.prisma.providerRegistration.findMany({
    where: { status: { in: ["PUBLISHED", "PAUSED"] } },
    select: { id: true, provider: true, refusedSince: true, callRefusals: true },
    orderBy: { id: "asc" },
  });
  return rows.flatMap(({ callRefusals, refusedSince, ...row }): RefusedClient[] => {
    const refusals = Object.values(registrationRefusalsOf({ callRefusals }));
    const since = [refusedSince ?? [], refusals.map((refusal) => new Date(refusal.since))].flat();
    const [first] = since.toSorted((one, other) => one.getTime() - other.getTime());
    const details = new Set(refusals.map(describeAnswer));
    return first === undefined ? [] : [{ ...row, refusedSince: first, detail: [...details].join("; ") || null }];
  });
}
