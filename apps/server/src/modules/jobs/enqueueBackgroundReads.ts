import { decideBackgroundReads } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";
import { createReadJob, kindsInFlight, scanWindowOf } from "./readJobs.ts";

/** Connections per transaction, and transactions per sweep. This spreads the backlog after a long outage. */
const BATCH = 50;
const MAX_BATCHES = 20;

/** Enqueues the scans and profile reads that are due. Concurrent sweeps process different connections. */
export async function enqueueBackgroundReads(service: Service): Promise<number> {
  const now = await service.clock.now();
  let scheduled = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const taken = await service.prisma.$transaction((transaction) => enqueueBatch(service, transaction, now));
    scheduled += taken;
    if (taken < BATCH) break;
  }
  return scheduled;
}

async function enqueueBatch(service: Service, transaction: Transaction, now: Date): Promise<number> {
  const dueBy = now.toISOString();
  // Two index scans, because a condition with OR scans the whole table. The rows are reread after they are locked.
  const due = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE id IN (
      (SELECT id FROM connection WHERE next_scan_at <= ${dueBy}::timestamptz ORDER BY next_scan_at LIMIT ${BATCH})
      UNION
      (SELECT id FROM connection WHERE next_profile_at <= ${dueBy}::timestamptz ORDER BY next_profile_at LIMIT ${BATCH}))
    FOR UPDATE SKIP LOCKED`;
  const connections = await transaction.connection.findMany({
    where: { id: { in: due.map(({ id }) => id) } },
    include: REGISTRATION,
  });
  for (const connection of connections) await enqueueReads(service, transaction, connection, now);
  return connections.length;
}

const REGISTRATION = { registration: { select: { capabilities: true } } } as const;
type DueConnection = Prisma.ConnectionGetPayload<{ include: typeof REGISTRATION }>;

async function enqueueReads(
  service: Service,
  transaction: Transaction,
  connection: DueConnection,
  now: Date,
): Promise<void> {
  const { id, registration } = connection;
  const inFlight = await kindsInFlight(transaction, id);
  const latestScan = await findLatestScan(transaction, id);
  const { patch, followUps } = decideBackgroundReads(
    { ...connection, offeredCapabilities: registration.capabilities },
    { inFlight, latestScan, startsScans: true },
    service.jitter,
    now,
  );
  for (const read of followUps) await createReadJob(service, transaction, connection, read, now);
  await transaction.connection.update({ where: { id }, data: patch });
}

async function findLatestScan(transaction: Transaction, connectionId: string) {
  const where = { connectionId, kind: "SCAN" } as const;
  const scan = await transaction.job.findFirst({ where, orderBy: { createdAt: "desc" } });
  return scan && { ...scan, window: scanWindowOf(scan), hasCursor: scan.providerCursor !== null };
}
