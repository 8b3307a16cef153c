import { Prisma } from "../../_generated/prisma/client.ts";
import { groupByShard, ownedBy, type ShardGroup } from "../../platform/distribution/shardGroups.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { countRows, idsOf, LOWEST_ID, type Sweep } from "../sweeps/sweep.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./sealedColumns.ts";

/** Rows per transaction, which bounds lock time. */
const BATCH = 200;

export interface ReencryptCounts {
  readonly reencrypted: number;
  /** Values that cannot be decrypted with any key or belong to another row; they remain unchanged. */
  readonly unreadable: number;
  /** Values not encrypted with the first key, including unreadable ones. At 0, the other keys can be removed. */
  readonly stale: number;
  /** All values and the stale ones, by `table.column`. */
  readonly searched: Readonly<Record<string, { readonly values: number; readonly stale: number }>>;
}

/**
 * Re-encrypts all sealed values with the first key, in batches, while the service is running. Interruptible and
 * idempotent, because every configured key decrypts. Skips locked rows until the next run.
 */
export async function reencryptStale(service: Service, batch: number = BATCH): Promise<ReencryptCounts> {
  let [reencrypted, unreadable] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    for (let after: string | null = LOWEST_ID; after !== null; ) {
      const done: Reencrypted = await reencryptBatch(service, column, after, batch);
      reencrypted += done.reencrypted;
      unreadable += done.unreadable;
      after = done.lastId;
    }
  }
  const counted = await countStale(service);
  const counts = { reencrypted, unreadable, stale: counted.stale };
  if (reencrypted + counts.stale > 0)
    service.logger.info(counts, "re-encrypted stored values with the first encryption key");
  return { ...counts, searched: counted.searched };
}

/** The values that a re-encryption would change. Changes nothing. */
export async function countStale(service: Service): Promise<Pick<ReencryptCounts, "stale" | "searched">> {
  let stale = 0;
  const searched: Record<string, { readonly values: number; readonly stale: number }> = {};
  for (const column of SEALED_COLUMNS) {
    const counts = {
      values: await countRows(service.prisma, sealedRows(column)),
      stale: await countRows(service.prisma, staleRows(service, column)),
    };
    searched[`${column.table}.${column.column}`] = counts;
    stale += counts.stale;
  }
  return { stale, searched };
}

/** Re-encrypts one column each. Values that cannot be decrypted stay due. */
export const REENCRYPT_SWEEPS: readonly Sweep[] = SEALED_COLUMNS.map((column) => ({
  name: `reencrypt ${column.table}.${column.column}`,
  batchSize: BATCH,
  begin: (service) => {
    // A single key needs no re-encryption.
    if (service.secretBox.keyIds.length === 1) {
      return { batch: async () => ({ handled: 0, isLast: true }), countDue: async () => 0 };
    }
    let after = LOWEST_ID;
    return {
      batch: async (limit) => {
        const done = await reencryptBatch(service, column, after, limit);
        after = done.lastId ?? after;
        return { handled: done.reencrypted + done.unreadable, isLast: done.lastId === null };
      },
      countDue: (limit) => countRows(service.prisma, Prisma.sql`${staleRows(service, column)} LIMIT ${limit}`),
    };
  },
}));

type Reencrypted = Pick<ReencryptCounts, "reencrypted" | "unreadable"> & { readonly lastId: string | null };

/** Rows are found without locks, then locked and changed in one transaction for each shard; see `groupByShard`. */
async function reencryptBatch(
  service: Service,
  column: SealedColumn,
  after: string,
  batch: number,
): Promise<Reencrypted> {
  const { prisma } = service;
  const found = await prisma.$queryRaw<RowKey[]>`
    SELECT id, ${column.isOwned ? Prisma.sql`application_id` : Prisma.sql`''`} AS "applicationId" FROM ${Prisma.raw(column.table)}
     WHERE id > ${after}::uuid AND ${isStale(service, column)} ORDER BY id LIMIT ${batch}`;
  const groups = column.isOwned ? await groupByShard(prisma, found) : [{ applicationIds: [], rows: found }];
  let [reencrypted, unreadable] = [0, 0];
  for (const group of groups) {
    const done = await prisma.$transaction((transaction) => reencryptGroup(service, transaction, column, group));
    reencrypted += done.reencrypted;
    unreadable += done.unreadable;
  }
  return { reencrypted, unreadable, lastId: found.length < batch ? null : (found.at(-1)?.id ?? null) };
}

async function reencryptGroup(
  service: Service,
  transaction: Prisma.TransactionClient,
  sealedColumn: SealedColumn,
  group: ShardGroup<RowKey>,
): Promise<Pick<Reencrypted, "reencrypted" | "unreadable">> {
  const { secretBox, logger } = service;
  const { table, column, binding, isOwned } = sealedColumn;
  const [from, value] = [Prisma.raw(table), Prisma.raw(column)];
  const owned = isOwned ? ownedBy(group) : Prisma.sql`true`;
  const rows = await transaction.$queryRaw<{ id: string; sealed: string }[]>`
    SELECT id, ${value} AS sealed FROM ${from}
     WHERE ${owned} AND id = ANY(${idsOf(group)}::uuid[]) AND ${isStale(service, sealedColumn)}
       FOR NO KEY UPDATE SKIP LOCKED`;
  const fresh: { id: string; sealed: string }[] = [];
  for (const { id, sealed } of rows) {
    try {
      fresh.push({ id, sealed: secretBox.reencrypt(sealed, binding(id)) });
    } catch (error) {
      logger.error({ err: error, table, column, id }, "failed to decrypt a sealed value");
    }
  }
  if (fresh.length > 0) {
    await transaction.$executeRaw`
      UPDATE ${from} AS stored SET ${value} = fresh.sealed
        FROM jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) AS fresh(id uuid, sealed text)
       WHERE ${owned} AND stored.id = fresh.id`;
  }
  return { reencrypted: fresh.length, unreadable: rows.length - fresh.length };
}

/** Values of a lost key cannot be re-encrypted. */
function isStale({ secretBox }: Service, { column }: SealedColumn): Prisma.Sql {
  const value = Prisma.raw(column);
  return Prisma.sql`NOT starts_with(${value}, ${secretBox.freshPrefix})
    AND split_part(${value}, '.', 2) <> ALL(${[...secretBox.lostKeyIds]}::text[])`;
}

function sealedRows({ table, column }: SealedColumn): Prisma.Sql {
  return Prisma.sql`SELECT 1 FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(column)} IS NOT NULL`;
}

function staleRows(service: Service, sealedColumn: SealedColumn): Prisma.Sql {
  return Prisma.sql`SELECT 1 FROM ${Prisma.raw(sealedColumn.table)} WHERE ${isStale(service, sealedColumn)}`;
}
