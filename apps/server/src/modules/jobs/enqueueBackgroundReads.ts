import { decideBackgroundReads, decideInitialReads } from "@social-connect/domain";
import { type Connection, Prisma } from "../../_generated/prisma/client.ts";
import { ownedBy, type ShardGroup } from "../../platform/distribution/shardGroups.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { countRows, handleBatch, idsOf, type Sweep, skip, timestamp } from "../sweeps/sweep.ts";
import { createReadJobs, kindsInFlight, latestScans, scanWindowOf } from "./readJobs.ts";

/** Enqueues the scans and profile reads that are due. Concurrent sweeps process different connections. */
export const ENQUEUE_BACKGROUND_READS: Sweep = {
  name: "enqueueBackgroundReads",
  batchSize: 250,
  begin: (service, now) => {
    const { prisma } = service;
    const failed: string[] = [];
    return {
      batch: async (limit) => {
        const rows = await prisma.$queryRaw<RowKey[]>`
          SELECT application_id AS "applicationId", id FROM (${dueConnections(now, limit, failed)}) AS due`;
        return handleBatch(prisma, { rows, limit, failed }, (group) =>
          prisma.$transaction((transaction) => enqueueGroup(service, transaction, group, now)),
        );
      },
      countDue: (limit) => countRows(prisma, dueConnections(now, limit, [])),
    };
  },
};

/** Two index scans, because a condition with OR scans the whole table. */
function dueConnections(now: Date, limit: number, failed: readonly string[]): Prisma.Sql {
  const others = skip("id", failed);
  return Prisma.sql`
    (SELECT application_id, id FROM connection WHERE next_scan_at <= ${timestamp(now)} ${others}
      ORDER BY next_scan_at LIMIT ${limit})
    UNION
    (SELECT application_id, id FROM connection WHERE next_profile_at <= ${timestamp(now)} ${others}
      ORDER BY next_profile_at LIMIT ${limit})
    LIMIT ${limit}`;
}

/** Handles the connections with a fixed number of statements, in one transaction. Returns how many there were. */
async function enqueueGroup(
  service: Service,
  transaction: Transaction,
  group: ShardGroup<RowKey>,
  now: Date,
): Promise<number> {
  const due = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE ${ownedBy(group)} AND id = ANY(${idsOf(group)}::uuid[])
       AND (next_scan_at <= ${timestamp(now)} OR next_profile_at <= ${timestamp(now)}) FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const applicationIds = [...group.applicationIds];
  const connections = await transaction.connection.findMany({
    where: { applicationId: { in: applicationIds }, id: { in: ids } },
    include: { registration: { select: { capabilities: true, status: true } } },
  });
  const inFlight = await kindsInFlight(transaction, connections);
  const scans = await latestScans(transaction, connections);
  const changes = connections.map((connection) => {
    const scan = scans.get(connection.id);
    const facts = {
      inFlight: inFlight.get(connection.id) ?? [],
      latestScan: scan ? { ...scan, window: scanWindowOf(scan), hasCursor: scan.providerCursor !== null } : null,
      startsScans: true,
    };
    const { capabilities: offeredCapabilities, status: registrationStatus } = connection.registration;
    const refusals = callRefusalsOf(connection);
    const access = { ...connection, refusals, offeredCapabilities, registrationStatus };
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
     WHERE ${ownedBy(group)} AND connection.id = next.id`;
  return connections.length;
}

/** Enqueues the first reads of a new or reconnected connection, and schedules the next ones. */
export async function enqueueInitialReads(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<void> {
  const { id, capabilities } = connection;
  const inFlight = (await kindsInFlight(transaction, [connection])).get(id) ?? [];
  const facts = { capabilities, inFlight, startsScans: true };
  const { patch, followUps } = decideInitialReads(facts, service.jitter, now);
  const reads = followUps.map((read) => ({ owner: connection, read }));
  await createReadJobs(service, transaction, reads, now);
  await transaction.connection.update({ where: keyOf(connection), data: patch });
}
