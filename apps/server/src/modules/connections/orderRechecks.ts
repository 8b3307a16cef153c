import type { Connection, Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Service, Transaction } from "../service.ts";
import { scopeHash } from "./scope.ts";

/** Enqueues a re-check of the connection, unless one is queued or running. */
export async function orderRecheck(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const underWay = await transaction.job.count({
    where: { connectionId: connection.id, kind: "RECHECK", status: { in: ["QUEUED", "RUNNING"] } },
  });
  if (underWay > 0) return;
  const job = await transaction.job.create({
    data: {
      id: newId(),
      applicationId: connection.applicationId,
      connectionId: connection.id,
      scopeHash: scopeHash(connection.id, connection),
      provider: connection.provider,
      kind: "RECHECK",
      status: "QUEUED",
      background: true,
      createdAt: now,
    },
  });
  await service.queue.enqueue(transaction, "recheck", { id: job.id });
}

/** Re-checks working connections whose grants a revoke may have ended. They continue to serve reads until then. */
export async function orderRechecks(
  service: Service,
  transaction: Transaction,
  where: Prisma.ConnectionWhereInput,
  now: Date,
): Promise<void> {
  const connections = await transaction.connection.findMany({
    where: { ...where, status: "CONNECTED" },
    orderBy: { id: "asc" },
  });
  for (const connection of connections) await orderRecheck(service, transaction, connection, now);
}
