import { decideGrantRevoked, type UpdateGrant } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Transaction } from "../service.ts";

/** Marks a connection's grant as revoked or expired. Only the user can reconnect it. */
export async function markGrantRevoked(
  transaction: Transaction,
  connection: RowKey & Pick<Connection, "status">,
  appRemoved: boolean,
  now: Date,
): Promise<void> {
  const { patch, followUps } = decideGrantRevoked(connection, appRemoved, now);
  for (const followUp of followUps) await updateGrant(transaction, connection.applicationId, followUp);
  await transaction.connection.update({ where: keyOf(connection), data: patch });
}

export async function updateGrant(
  transaction: Transaction,
  applicationId: string,
  { connectionId, patch }: UpdateGrant,
): Promise<void> {
  await transaction.grant.updateMany({ where: { applicationId, connectionId }, data: patch });
}
