import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import type { Service } from "../service.ts";
import { isClientSecretUnbound, openClientSecret, sealClientSecret } from "./clientSecret.ts";

/**
 * Binds the client secrets that the previous release stored to their registrations' addresses. Processes of that release
 * cannot read the result, so an operator runs it after they were stopped. Returns how many were bound.
 */
export async function bindClientSecrets(service: Pick<Service, "prisma" | "secretBox">): Promise<number> {
  const { prisma, secretBox } = service;
  let bound = 0;
  for (const { id } of await findUnbound(service)) {
    bound += await prisma.$transaction(async (transaction) => {
      await lockUntilCommit(transaction, "registration", id);
      const row = await transaction.providerRegistration.findUnique({ where: { id } });
      if (row === null || !isClientSecretUnbound(secretBox, row)) return 0;
      const clientSecretSealed = sealClientSecret(secretBox, row, openClientSecret(secretBox, row));
      await transaction.providerRegistration.update({ where: { id }, data: { clientSecretSealed } });
      return 1;
    });
  }
  return bound;
}

/** Reports client secrets that the previous release stored. */
export async function warnOfUnboundSecrets(service: Pick<Service, "prisma" | "secretBox" | "logger">): Promise<void> {
  const unbound = await findUnbound(service);
  if (unbound.length === 0) return;
  service.logger.warn(
    { registrationIds: unbound.map(({ id }) => id) },
    "the addresses of these registrations are not bound to their client secrets, because an earlier version stored them. " +
      "Check the addresses, then run `social-connect rotate-encryption` once every process runs this version",
  );
}

async function findUnbound({
  prisma,
  secretBox,
}: Pick<Service, "prisma" | "secretBox">): Promise<ProviderRegistration[]> {
  const rows = await prisma.providerRegistration.findMany({ orderBy: { id: "asc" } });
  return rows.filter((row) => isClientSecretUnbound(secretBox, row));
}
