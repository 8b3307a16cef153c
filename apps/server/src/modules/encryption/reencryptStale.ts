import { Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import type { SealedColumn } from "./sealedColumns.ts";
import { SEALED_COLUMNS } from "./sealedColumns.ts";

/** Rows changed by one transaction: whoever needs one of them waits for a moment only. */
const BATCH = 200;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

export interface ReencryptCounts {
  readonly reencrypted: number;
  /** Values that no key of the ring opens, or that stand in the wrong row; they are left as they are. */
  readonly unreadable: number;
  /** Values that another key than the first sealed, unreadable ones included: 0 means that the other keys can go. */
  readonly stale: number;
}

/**
 * Brings every sealed value under the first key, batch by batch, while the service goes on: every key of the ring opens, so
 * it may be stopped anywhere and run again. A row that somebody works on is left for the next time.
 */
export async function reencryptStale(service: Service, batch: number = BATCH): Promise<ReencryptCounts> {
  let [reencrypted, unreadable, stale] = [0, 0, 0];
  // With one key there is nothing to bring a value from.
  if (service.secretBox.keyIds.length > 1) {
    for (const column of SEALED_COLUMNS) {
      const counts = await reencryptColumn(service, column, batch);
      reencrypted += counts.reencrypted;
      unreadable += counts.unreadable;
    }
    for (const column of SEALED_COLUMNS) stale += await countStale(service, column);
    const counts = { reencrypted, unreadable, stale };
    if (reencrypted + stale > 0)
      service.logger.info(counts, "sealed values were brought under the first encryption key");
  }
  return { reencrypted, unreadable, stale };
}

async function reencryptColumn(
  service: Service,
  column: SealedColumn,
  batch: number,
): Promise<Pick<ReencryptCounts, "reencrypted" | "unreadable">> {
  let [reencrypted, unreadable] = [0, 0];
  for (let after = LOWEST_ID; ; ) {
    const done = await service.prisma.$transaction((transaction) =>
      reencryptBatch(service, transaction, column, after, batch),
    );
    reencrypted += done.reencrypted;
    unreadable += done.unreadable;
    if (done.lastId === null) return { reencrypted, unreadable };
    after = done.lastId;
  }
}

async function reencryptBatch(
  service: Service,
  transaction: Prisma.TransactionClient,
  { table, column, binding }: SealedColumn,
  after: string,
  batch: number,
): Promise<Pick<ReencryptCounts, "reencrypted" | "unreadable"> & { readonly lastId: string | null }> {
  const { secretBox, logger } = service;
  const [from, value] = [Prisma.raw(table), Prisma.raw(column)];
  const rows = await transaction.$queryRaw<{ id: string; sealed: string }[]>`
    SELECT id, ${value} AS sealed FROM ${from}
     WHERE id > ${after}::uuid AND NOT starts_with(${value}, ${secretBox.freshPrefix})
     ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`;
  const fresh: { id: string; sealed: string }[] = [];
  for (const { id, sealed } of rows) {
    try {
      fresh.push({ id, sealed: secretBox.reencrypt(sealed, binding(id)) });
    } catch (error) {
      logger.error({ err: error, table, column, id }, "a sealed value cannot be opened");
    }
  }
  if (fresh.length > 0) {
    await transaction.$executeRaw`
      UPDATE ${from} AS stored SET ${value} = fresh.sealed
        FROM jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) AS fresh(id uuid, sealed text)
       WHERE stored.id = fresh.id`;
  }
  const lastId = rows.length < batch ? null : (rows.at(-1)?.id ?? null);
  return { reencrypted: fresh.length, unreadable: rows.length - fresh.length, lastId };
}

async function countStale(service: Service, { table, column }: SealedColumn): Promise<number> {
  const [from, value] = [Prisma.raw(table), Prisma.raw(column)];
  const [row] = await service.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM ${from} WHERE NOT starts_with(${value}, ${service.secretBox.freshPrefix})`;
  return Number(row?.count ?? 0);
}
