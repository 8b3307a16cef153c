import { AppError, dataDeletionRequested, isDisconnected } from "@social-connect/domain";
import type { DataDeletion } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { disconnect } from "../disconnect/disconnectConnection.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { type Position, rowSweep, timestamp } from "../sweeps/sweep.ts";
import { isKept, progressOf, unfinishedOf } from "./deletionProgress.ts";

/**
 * Disconnects what a data deletion request still has to disconnect, and counts what was erased since. Concurrent calls are
 * safe.
 */
export async function advanceDeletion(service: Service, id: string): Promise<void> {
  const deletion = await service.prisma.dataDeletion.findUnique({ where: { id } });
  if (deletion === null) return;
  for (const key of unfinishedOf(deletion)) {
    // The other connections are disconnected, and the sweep repeats this one.
    await disconnectFor(service, deletion, key).catch((error: unknown) => {
      const isErased = error instanceof AppError && error.code === "NOT_FOUND";
      if (isErased) return;
      service.logger.error(
        { err: error, connectionId: key.id },
        "a data deletion request could not disconnect a connection",
      );
    });
  }
  const now = await service.clock.now();
  await service.prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT 1 FROM data_deletion WHERE id = ${id}::uuid FOR UPDATE`;
    const locked = await transaction.dataDeletion.findUnique({ where: { id } });
    if (locked === null || locked.finishedAt !== null) return;
    const progress = await progressOf(transaction, locked, now);
    const finishedAt = progress.unfinished.length === 0 ? now : null;
    await transaction.dataDeletion.update({ where: { id }, data: { ...progress, finishedAt } });
  });
}

async function disconnectFor(service: Service, { requestedAt }: DataDeletion, key: RowKey): Promise<void> {
  const include = { grant: true, application: { select: { slug: true } } } as const;
  const found = await service.prisma.connection.findUnique({ where: keyOf(key), include });
  if (found === null || isDisconnected(found.status)) return;
  if (isKept(found, requestedAt)) return;
  const { grant: _, application, ...connection } = found;
  const audited = { ...connection, clientSlug: application.slug };
  await disconnect(service, connection, "AT_PROVIDER", (transaction, at, changes) =>
    recordAudit(transaction, SYSTEM, at, dataDeletionRequested(audited, changes)),
  );
}

/** Advances requests whose connections are not all erased and counted. */
export const ADVANCE_DATA_DELETIONS = rowSweep("advanceDataDeletions", {
  batchSize: 100,
  find: ({ prisma }, _now, after, limit) => prisma.$queryRaw<Position[]>`
    SELECT id, requested_at AS "createdAt" FROM data_deletion
     WHERE finished_at IS NULL AND (requested_at, id) > (${timestamp(after.createdAt)}, ${after.id}::uuid)
     ORDER BY requested_at, id LIMIT ${limit}`,
  handle: (service, { id }) => advanceDeletion(service, id),
});
