import { changesOf, isDisconnected } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { disconnectAll, type FailedDisconnect } from "./disconnectAll.ts";
import type { ErasureOptions } from "./eraseConnections.ts";
import type { ErasureJournal } from "./erasureJournal.ts";
import { type Disconnected, type ErasureReceipt, findDisconnected, readReceipts } from "./erasureReceipts.ts";

const BATCH = 100;

/** What a replay finds before it changes anything. */
export interface ReplaySize {
  readonly connections: number;
  /** Connections that the database does not have. */
  readonly absent: number;
  readonly inProgress: number;
  /** Connections that the backup restored: their erasure begins again. */
  readonly restored: number;
  /** Deliveries of events that wait. */
  readonly waitingDeliveries: number;
}

export interface ReplayReport extends ReplaySize {
  /** The receipts of every connection of the journal that has some, also of a connection that a worker has erased already. */
  readonly receipts: readonly ErasureReceipt[];
  /** Connections without receipts: erased more than a week ago, or linked after the backup. */
  readonly withoutReceipts: number;
  /** Connections that could not be disconnected; repeat the replay. */
  readonly failed: readonly FailedDisconnect[];
  /** Connections that are left. */
  readonly pending: number;
}

export async function measureReplay(
  service: Pick<Service, "prisma">,
  { connectionIds }: ErasureJournal,
): Promise<ReplaySize> {
  let [found, inProgress] = [0, 0];
  for await (const { status } of connectionsOf(service, connectionIds)) {
    found += 1;
    if (isDisconnected(status)) inProgress += 1;
  }
  const connections = connectionIds.size;
  const waitingDeliveries = await service.prisma.eventDelivery.count({ where: { status: "WAITING" } });
  return { connections, absent: connections - found, inProgress, restored: found - inProgress, waitingDeliveries };
}

/**
 * Erases the connections of a journal that a backup restored: each is disconnected, so access stops immediately, its grant is
 * revoked, its data is erased and two receipts are left. An id is never used again, so a connection that
 * the database does not have needs nothing, and a replay can be repeated with any journal. `endsDeliveries`: no event from
 * before the restore is sent.
 */
export async function replayErasures(
  service: Service,
  journal: ErasureJournal,
  { wait, endsDeliveries = false }: ErasureOptions & { readonly endsDeliveries?: boolean },
): Promise<ReplayReport> {
  const size = await measureReplay(service, journal);
  if (endsDeliveries) await endRestoredDeliveries(service);
  await record(service, journal);
  const disconnected = new Map<string, Disconnected>();
  for (;;) {
    const failed = await disconnectAll(service, connectionsOf(service, journal.connectionIds), disconnected);
    const { connections, absent } = await measureReplay(service, journal);
    const pending = connections - absent;
    if (pending === 0 || !(await wait(pending))) {
      const receipts = await receiptsOf(service, journal);
      const withoutReceipts = connections - receipts.length;
      return { ...size, receipts, withoutReceipts, failed, pending };
    }
  }
}

/** The backup restored them: their receivers had them, or ask for them again. */
async function endRestoredDeliveries(service: Service): Promise<void> {
  await service.prisma.eventDelivery.updateMany({
    where: { status: "WAITING" },
    data: { status: "FAILED", nextTryAt: null, finishedAt: await service.clock.now(), problem: "RESTORED" },
  });
}

/** From the receipts themselves: workers may have erased a connection before this replay saw it. */
async function receiptsOf(service: Service, { connectionIds }: ErasureJournal): Promise<readonly ErasureReceipt[]> {
  const disconnected: Disconnected[] = [];
  for (const ids of batchesOf(connectionIds)) {
    disconnected.push(...(await findDisconnected(service, { connectionId: { in: ids } })));
  }
  return readReceipts(service, disconnected);
}

/** One entry for each client with restored connections. */
async function record(service: Service, { connectionIds }: ErasureJournal): Promise<void> {
  const counts = new Map<string, number>();
  for await (const { applicationId, status } of connectionsOf(service, connectionIds)) {
    if (!isDisconnected(status)) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  }
  const now = await service.clock.now();
  const where = { id: { in: [...counts.keys()] } };
  for (const { id, slug } of await service.prisma.application.findMany({ where, select: { id: true, slug: true } })) {
    await recordAudit(service.prisma, SYSTEM, now, {
      action: "Erasures replayed",
      target: { type: "CLIENT", id },
      clientSlug: slug,
      summary: `Repeated the erasure of ${counts.get(id)} connections that a backup restored.`,
      changes: changesOf({ connections: counts.get(id) }, null),
    });
  }
}

async function* connectionsOf(
  { prisma }: Pick<Service, "prisma">,
  connectionIds: ReadonlySet<string>,
): AsyncGenerator<Connection, void, undefined> {
  for (const ids of batchesOf(connectionIds)) {
    yield* await prisma.connection.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
  }
}

function* batchesOf(connectionIds: ReadonlySet<string>): Generator<string[], void, undefined> {
  const ids = [...connectionIds].toSorted();
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH);
}
