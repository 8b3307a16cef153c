import { isDisconnected } from "@social-connect/domain";
import type { Connection } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import type { FailedDisconnect } from "./disconnectAll.ts";
import { disconnectAll } from "./disconnectAll.ts";
import type { ErasureOptions } from "./eraseConnections.ts";
import type { ErasureJournal } from "./erasureJournal.ts";
import type { Disconnected, ErasureReceipt } from "./erasureReceipts.ts";
import { readReceipts } from "./erasureReceipts.ts";

const BATCH = 100;

/** What a replay finds before it changes anything. */
export interface ReplaySize {
  /** Connections of the journal. */
  readonly connections: number;
  /** Connections that the database does not have. */
  readonly absent: number;
  /** Connections whose erasure is in progress. */
  readonly inProgress: number;
  /** Connections that the backup restored: their erasure begins again. */
  readonly restored: number;
}

export interface ReplayReport extends ReplaySize {
  /** Of the connections that were restored or in progress. */
  readonly receipts: readonly ErasureReceipt[];
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
  return { connections, absent: connections - found, inProgress, restored: found - inProgress };
}

/**
 * Erases the connections of a journal that a backup restored: each is disconnected, so access stops immediately, its grant is
 * revoked, its data is erased and two receipts are left. An id is never used again, so a connection that
 * the database does not have needs nothing, and a replay can be repeated with any journal.
 */
export async function replayErasures(
  service: Service,
  journal: ErasureJournal,
  { wait }: ErasureOptions,
): Promise<ReplayReport> {
  const size = await measureReplay(service, journal);
  await record(service, journal);
  const disconnected = new Map<string, Disconnected>();
  for (;;) {
    const failed = await disconnectAll(service, connectionsOf(service, journal.connectionIds), disconnected);
    const { connections, absent } = await measureReplay(service, journal);
    const pending = connections - absent;
    if (pending === 0 || !(await wait(pending))) {
      return { ...size, receipts: await readReceipts(service, [...disconnected.values()]), failed, pending };
    }
  }
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
    });
  }
}

async function* connectionsOf(
  { prisma }: Pick<Service, "prisma">,
  connectionIds: ReadonlySet<string>,
): AsyncGenerator<Connection, void, undefined> {
  const ids = [...connectionIds].toSorted();
  for (let start = 0; start < ids.length; start += BATCH) {
    const where = { id: { in: ids.slice(start, start + BATCH) } };
    yield* await prisma.connection.findMany({ where, orderBy: { id: "asc" } });
  }
}
