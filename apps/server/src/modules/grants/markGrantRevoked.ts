import type { UpdateGrant } from "@social-connect/domain";
import { decideGrantRevoked } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Transaction } from "../service.ts";

/** Marks a connection's grant as revoked or expired. Only the user can reconnect it. */
export async function markGrantRevoked(
  transaction: Transaction,
  connection: Pick<Connection, "id" | "status">,
  appRemoved: boolean,
  now: Date,
): Promise<void> {
  const { patch, followUps } = decideGrantRevoked(connection, appRemoved, now);
  for (const followUp of followUps) await updateGrant(transaction, followUp);
  await transaction.connection.update({ where: { id: connection.id }, data: patch });
}

export async function updateGrant(transaction: Transaction, { connectionId, patch }: UpdateGrant): Promise<void> {
  await transaction.grant.updateMany({ where: { connectionId }, data: patch });
}
