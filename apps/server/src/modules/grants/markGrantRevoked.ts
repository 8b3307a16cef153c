import type { ReconnectCode } from "@social-connect/contract";
import { decideGrantRevoked, type UpdateGrant } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** Marks a connection's grant as revoked or expired. Only the user can reconnect it. */
export async function markGrantRevoked(
  service: Pick<Service, "queue">,
  transaction: Transaction,
  connection: RowKey & Pick<Connection, "status">,
  { appRemoved, code }: { readonly appRemoved: boolean; readonly code: ReconnectCode },
  now: Date,
): Promise<void> {
  const { patch, followUps } = decideGrantRevoked(connection, appRemoved, now);
  for (const followUp of followUps) await updateGrant(transaction, connection.applicationId, followUp);
  await changeConnection(service, transaction, connection, patch, now, code);
}

export async function updateGrant(
  transaction: Transaction,
  applicationId: string,
  { connectionId, patch }: UpdateGrant,
): Promise<void> {
  await transaction.grant.updateMany({ where: { applicationId, connectionId }, data: patch });
}
