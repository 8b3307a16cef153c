import {
  addMs,
  type CallRefusals,
  REFUSALS_APART_MS,
  type RegistrationCalls,
  type RegistrationChange,
  type RegistrationRefusals,
  type TriedConnection,
} from "@social-connect/domain";
import type { Connection, Prisma, ProviderRegistration } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** How far back connections count that were tried, and how many of the latest. */
const RECENT_MS = 24 * 3_600_000;
const MOST_READ = 500;
/** How many connections are read soon, to see whether a refusal concerns others too. */
const MAX_PROBES = 3;

/** The refusals of a stored connection; only this service writes the column. */
export function callRefusalsOf({ callRefusals }: Pick<Connection, "callRefusals">): CallRefusals {
  return callRefusals as CallRefusals;
}

export function registrationRefusalsOf({
  callRefusals,
}: Pick<ProviderRegistration, "callRefusals">): RegistrationRefusals {
  return callRefusals as unknown as RegistrationRefusals;
}

export function asJson(refusals: CallRefusals | RegistrationRefusals): Prisma.InputJsonObject {
  return refusals as unknown as Prisma.InputJsonObject;
}

/** The registration's refusals, and its other connections that were tried lately, the latest first. */
export async function readRegistrationCalls(
  { prisma }: Pick<Service, "prisma">,
  connection: RowKey & Pick<Connection, "registrationId">,
  now: Date,
): Promise<RegistrationCalls> {
  const { id, registrationId } = connection;
  const registration = await prisma.providerRegistration.findUniqueOrThrow({
    where: { id: registrationId },
    select: { callRefusals: true },
  });
  const others = await prisma.connection.findMany({
    where: { registrationId, triedAt: { gte: addMs(now, -RECENT_MS) }, id: { not: id } },
    select: { triedAt: true, callRefusals: true, lastSuccessfulSyncAt: true, profileObservedAt: true },
    orderBy: { triedAt: "desc" },
    take: MOST_READ,
  });
  return {
    refusals: registrationRefusalsOf(registration),
    others: others.map((other): TriedConnection => ({ ...other, refusals: callRefusalsOf(other) })),
  };
}

/**
 * Moves up the background reads of a few other connections that were not tried within an hour: whether a refusal
 * concerns one account or all shows soon, in a registration with few connections too.
 */
export async function readOthersSoon(
  { prisma }: Pick<Service, "prisma">,
  connection: RowKey & Pick<Connection, "registrationId">,
  now: Date,
): Promise<void> {
  const { id, registrationId } = connection;
  const anHourAgo = addMs(now, -REFUSALS_APART_MS);
  const others = await prisma.connection.findMany({
    where: {
      ...{ registrationId, status: "CONNECTED", id: { not: id } },
      AND: [
        { OR: [{ triedAt: null }, { triedAt: { lt: anHourAgo } }] },
        { OR: [{ nextScanAt: { gt: now } }, { nextProfileAt: { gt: now } }] },
      ],
    },
    select: { id: true, applicationId: true },
    take: MAX_PROBES,
  });
  for (const other of others) {
    const { applicationId } = other;
    const due = (column: "nextScanAt" | "nextProfileAt") =>
      prisma.connection.updateMany({
        where: { id: other.id, applicationId, status: "CONNECTED", [column]: { gt: now } },
        data: { [column]: now },
      });
    await due("nextScanAt");
    await due("nextProfileAt");
  }
}

/** In one statement, because reads of several connections change the registration at the same time. */
export async function changeRegistrationRefusals(
  transaction: Transaction,
  registrationId: string,
  { begun, over }: RegistrationChange,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE provider_registration
       SET call_refusals = (${JSON.stringify(begun)}::jsonb || call_refusals) - ${[...over]}::text[]
     WHERE id = ${registrationId}::uuid`;
}
