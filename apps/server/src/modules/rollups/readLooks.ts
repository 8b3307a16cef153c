import { type Incident, isLookedAt } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { readServedClients } from "../quota/readQuotaUse.ts";
import { withUnitsLeft } from "../quota/withUnitsLeft.ts";
import type { Service } from "../service.ts";
import { isLimitAwaited } from "./lookForEnd.ts";

/** What the service does meanwhile to see whether an incident is over. */
export type Looks = "EVERY_MINUTE" | "LIMITED" | "PAUSED" | "NONE_READABLE" | "NO_CONNECTION";

/** null for one that no read can end, or that has ended. */
export async function readLooks(
  { reads: { prisma }, provider, clock }: Pick<Service, "reads" | "provider" | "clock">,
  incident: Incident,
): Promise<Looks | null> {
  const { registrationId, endedAt } = incident;
  if (registrationId === null || endedAt !== null || !isLookedAt(incident)) return null;
  const registration = await prisma.providerRegistration.findUnique({ where: { id: registrationId } });
  if (registration === null) return "NO_CONNECTION";
  const has = async (where: Prisma.ConnectionWhereInput) =>
    (await prisma.connection.findFirst({ where: { registrationId, ...where }, select: { id: true } })) !== null;
  if (!(await has({ status: { in: ["CONNECTED", "SUSPENDED", "RECONNECT_REQUIRED"] } }))) return "NO_CONNECTION";
  if (registration.status !== "PUBLISHED") return "PAUSED";
  const clients = await readServedClients(prisma, registration, { providers: { has: registration.provider } });
  const applicationId = { in: clients.map(({ id }) => id) };
  if (!(await has({ status: "CONNECTED", applicationId }))) return "NONE_READABLE";
  const [reader, now] = [{ prisma, provider }, await clock.now()];
  if (await isLimitAwaited(reader, registration, now)) return "LIMITED";
  // The budget of an account that is used up leaves the others.
  const accounts = clients.map(({ id }) => ({ applicationId: id, providerAccountId: "any" }));
  return (await withUnitsLeft(reader, registration, accounts, now)).length > 0 ? "EVERY_MINUTE" : "LIMITED";
}
