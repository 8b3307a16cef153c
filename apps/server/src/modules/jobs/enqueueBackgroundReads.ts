import { decideBackgroundReads } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";
import type { Sweep } from "../sweeps/sweep.ts";
import { countRows, timestamp } from "../sweeps/sweep.ts";
import { createReadJobs, kindsInFlight, latestScans, scanWindowOf } from "./readJobs.ts";

/** Enqueues the scans and profile reads that are due. Concurrent sweeps process different connections. */
export const ENQUEUE_BACKGROUND_READS: Sweep = {
  name: "enqueueBackgroundReads",
  batchSize: 250,
  begin: (service, now) => ({
    batch: (limit) => service.prisma.$transaction((transaction) => enqueueBatch(service, transaction, now, limit)),
    countDue: (limit) => countRows(service.prisma, dueConnections(now, limit)),
  }),
};

/** Two index scans, because a condition with OR scans the whole table. */
function dueConnections(now: Date, limit: number): Prisma.Sql {
  return Prisma.sql`
    (SELECT id FROM connection WHERE next_scan_at <= ${timestamp(now)} ORDER BY next_scan_at LIMIT ${limit})
    UNION
    (SELECT id FROM connection WHERE next_profile_at <= ${timestamp(now)} ORDER BY next_profile_at LIMIT ${limit})
    LIMIT ${limit}`;
}

/** Handles all connections of the batch with a fixed number of statements. Returns how many there were. */
async function enqueueBatch(service: Service, transaction: Transaction, now: Date, limit: number): Promise<number> {
  // The rows are reread after they are locked.
  const due = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE id IN (${dueConnections(now, limit)}) FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const connections = await transaction.connection.findMany({
    where: { id: { in: ids } },
    include: { registration: { select: { capabilities: true } } },
  });
  const inFlight = await kindsInFlight(transaction, connections);
  const scans = await latestScans(transaction, ids);
  const changes = connections.map((connection) => {
    const scan = scans.get(connection.id);
    const facts = {
      inFlight: inFlight.get(connection.id) ?? [],
      latestScan: scan ? { ...scan, window: scanWindowOf(scan), hasCursor: scan.providerCursor !== null } : null,
      startsScans: true,
    };
    const access = { ...connection, offeredCapabilities: connection.registration.capabilities };
    return { connection, ...decideBackgroundReads(access, facts, service.jitter, now) };
  });
  const reads = changes.flatMap(({ connection, followUps }) => followUps.map((read) => ({ owner: connection, read })));
  await createReadJobs(service, transaction, reads, now);
  const dates = changes.map(({ connection: { id }, patch }) => ({
    id,
    scan: patch.nextScanAt,
    profile: patch.nextProfileAt,
  }));
  await transaction.$executeRaw`
    UPDATE connection SET next_scan_at = next.scan, next_profile_at = next.profile
      FROM jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) AS next(id uuid, scan timestamptz, profile timestamptz)
     WHERE connection.id = next.id`;
  return connections.length;
}
