import type { ConnectionStatus, DisconnectCode, ReconnectCode } from "@social-connect/contract";
import { causeOfStatus, connectionEvent } from "@social-connect/domain";
import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * Changes a connection. If its status changes, stores the cause and tells its application. The caller holds `lockConnection`. `code`
 * says why it must be reconnected, or who ended it.
 */
export async function changeConnection(
  service: Pick<Service, "queue">,
  transaction: Transaction,
  connection: RowKey,
  data: Prisma.ConnectionUncheckedUpdateInput,
  now: Date,
  code: ReconnectCode | DisconnectCode | null = null,
): Promise<Connection> {
  const where = keyOf(connection);
  if (data.status === undefined) return transaction.connection.update({ where, data });
  // An earlier step of the transaction may have changed it.
  const { status: before } = await transaction.connection.findUniqueOrThrow({ where, select: { status: true } });
  const cause = causeOfStatus(before, data.status as ConnectionStatus, code, now);
  const changed = await transaction.connection.update({ where, data: { ...cause, ...data } });
  await recordEvents(service, transaction, now, [connectionEvent(before, changed, code)]);
  return changed;
}
