import { RECEIPT_EVENT_TYPES } from "@social-connect/domain";
import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

/** Receipts are delivered although their connection is erased. */
const NO_RECEIPT = { type: { notIn: [...RECEIPT_EVENT_TYPES] } } satisfies Prisma.EventWhereInput;

/**
 * Deletes the events of a connection that is erased, and those of the user's attempts at its provider from before the
 * disconnect, with their deliveries. Returns their number.
 */
export async function eraseEventsOfConnection(
  transaction: Transaction,
  connection: Connection,
  disconnectedAt: Date,
): Promise<number> {
  const { id: connectionId, applicationId, tenantKey, externalSubjectId, provider } = connection;
  const attempts = { tenantKey, externalSubjectId, provider, occurredAt: { lte: disconnectedAt } };
  const { count } = await transaction.event.deleteMany({
    where: { ...NO_RECEIPT, applicationId, OR: [{ connectionId }, { connectionId: null, ...attempts }] },
  });
  return count;
}

/** Deletes the events of attempts and sign-ins of a scope that is erased. Those of its connections are deleted with them. */
export async function eraseEventsOfAttempts(
  client: Service["prisma"] | Transaction,
  scope: Pick<Prisma.EventWhereInput, "tenantKey" | "externalSubjectId"> & { readonly applicationId: string },
): Promise<number> {
  return (await client.event.deleteMany({ where: { ...NO_RECEIPT, ...scope, connectionId: null } })).count;
}
