import type { Capability } from "@social-connect/contract";
import { followingRead, isContinuable, servedCapabilities } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";
import type { NewReadJob } from "./readJobs.ts";
import { createReadJob, defaultScan, IN_FLIGHT, scanWindowOf } from "./readJobs.ts";

/** Connections per transaction, and transactions per sweep. This spreads the backlog after a long outage. */
const BATCH = 50;
const MAX_BATCHES = 20;

/** Enqueues the scans and profile reads that are due. Concurrent sweeps process different connections. */
export async function scheduleBackgroundReads(service: Service): Promise<number> {
  const now = await service.clock.now();
  let scheduled = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const taken = await service.prisma.$transaction((transaction) => scheduleBatch(service, transaction, now));
    scheduled += taken;
    if (taken < BATCH) break;
  }
  return scheduled;
}

async function scheduleBatch(service: Service, transaction: Transaction, now: Date): Promise<number> {
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
  for (const connection of connections) await schedule(service, transaction, connection, now);
  return connections.length;
}

const REGISTRATION = { registration: { select: { capabilities: true } } } as const;
type DueConnection = Prisma.ConnectionGetPayload<{ include: typeof REGISTRATION }>;

/**
 * Skips a read that the registration does not offer but keeps its schedule, so that it resumes when the registration
 * offers it again.
 */
async function schedule(
  service: Service,
  transaction: Transaction,
  connection: DueConnection,
  now: Date,
): Promise<void> {
  const { nextScanAt, nextProfileAt, registration } = connection;
  const capabilities = servedCapabilities({ ...connection, offeredCapabilities: registration.capabilities });
  const isRead = (due: Date | null, capability: Capability) =>
    due !== null && due <= now && connection.status === "CONNECTED" && capabilities.includes(capability);
  if (isRead(nextScanAt, "CONTENT_LIST")) {
    if (!(await isInFlight(transaction, connection.id, "SCAN"))) {
      await createReadJob(service, transaction, connection, await dueScan(transaction, connection.id, now), now);
    }
  }
  if (isRead(nextProfileAt, "PROFILE")) {
    if (!(await isInFlight(transaction, connection.id, "PROFILE"))) {
      await createReadJob(service, transaction, connection, { target: "PROFILE", background: true }, now);
    }
  }
  await transaction.connection.update({
    where: { id: connection.id },
    data: {
      nextScanAt: followingRead(nextScanAt, now, service.jitter()),
      nextProfileAt: followingRead(nextProfileAt, now, service.jitter()),
    },
  });
}

/** The continuation of a rate-limited scan, or else a new scan of the default window. */
async function dueScan(transaction: Transaction, connectionId: string, now: Date): Promise<NewReadJob> {
  const latest = await transaction.job.findFirst({
    where: { connectionId, kind: "SCAN" },
    orderBy: { createdAt: "desc" },
  });
  const window = latest && scanWindowOf(latest);
  const isCutShort =
    latest?.background === true &&
    latest.incompleteReason === "UPSTREAM_RATE_LIMITED" &&
    latest.providerCursor !== null &&
    isContinuable(latest, now);
  if (!isCutShort || !window) return { target: defaultScan(now), background: true };
  return { target: { kind: "SCAN", window }, background: true, continues: latest };
}

async function isInFlight(transaction: Transaction, connectionId: string, kind: "SCAN" | "PROFILE"): Promise<boolean> {
  return (await transaction.job.count({ where: { connectionId, kind, status: { in: [...IN_FLIGHT] } } })) > 0;
}
