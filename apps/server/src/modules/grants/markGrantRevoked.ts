import { moveConnection } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import type { Transaction } from "../service.ts";

/** Marks a connection's grant as revoked or expired. Only the user can reconnect it. */
export async function markGrantRevoked(
  transaction: Transaction,
  connection: Pick<Connection, "id" | "status">,
  appRemoved: boolean,
  now: Date,
): Promise<void> {
  const event = connection.status === "SUSPENDED" ? "RECHECK_FAILED" : "GRANT_LOST";
  const status = moveConnection(connection.status, event);
  await transaction.grant.updateMany({
    where: { connectionId: connection.id },
    data: { status: "GONE", updatedAt: now },
  });
  await transaction.connection.update({
    where: { id: connection.id },
    data: {
      ...(status === null ? {} : { status, suspendedByJobId: null }),
      ...(appRemoved ? { appRemovedAt: now } : {}),
      nextRetryAt: null,
      nextScanAt: null,
      nextProfileAt: null,
      updatedAt: now,
    },
  });
}
