import { Prisma } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";
import type { Sweep } from "../sweeps/sweep.ts";
import { countRows, LOWEST_ID } from "../sweeps/sweep.ts";
import type { SealedColumn } from "./sealedColumns.ts";
import { SEALED_COLUMNS } from "./sealedColumns.ts";

/** Rows per transaction, which bounds lock time. */
const BATCH = 200;

export interface ReencryptCounts {
  readonly reencrypted: number;
  /** Values that cannot be decrypted with any key or belong to another row; they remain unchanged. */
  readonly unreadable: number;
  /** Values not encrypted with the first key, including unreadable ones. At 0, the other keys can be removed. */
  readonly stale: number;
}

/**
 * Re-encrypts all sealed values with the first key, in batches, while the service is running. Interruptible and
 * idempotent, because every configured key decrypts. Skips locked rows until the next run.
 */
export async function reencryptStale(service: Service, batch: number = BATCH): Promise<ReencryptCounts> {
  let [reencrypted, unreadable, stale] = [0, 0, 0];
  // A single key needs no re-encryption.
  if (service.secretBox.keyIds.length > 1) {
    for (const column of SEALED_COLUMNS) {
      for (let after: string | null = LOWEST_ID; after !== null; ) {
        const done: Reencrypted = await reencryptBatch(service, column, after, batch);
        reencrypted += done.reencrypted;
        unreadable += done.unreadable;
        after = done.lastId;
      }
    }
    for (const column of SEALED_COLUMNS) stale += await countRows(service.prisma, staleRows(service, column));
    const counts = { reencrypted, unreadable, stale };
    if (reencrypted + stale > 0)
      service.logger.info(counts, "re-encrypted stored values with the first encryption key");
  }
  return { reencrypted, unreadable, stale };
}

/** Re-encrypts one column each. Values that cannot be decrypted stay due. */
export const REENCRYPT_SWEEPS: readonly Sweep[] = SEALED_COLUMNS.map((column) => ({
  name: `reencrypt ${column.table}.${column.column}`,
  batchSize: BATCH,
  begin: (service) => {
    // A single key needs no re-encryption.
    if (service.secretBox.keyIds.length === 1) return { batch: async () => 0, countDue: async () => 0 };
    let after = LOWEST_ID;
    return {
      batch: async (limit) => {
        const done = await reencryptBatch(service, column, after, limit);
        after = done.lastId ?? after;
        return done.reencrypted + done.unreadable;
      },
      countDue: (limit) => countRows(service.prisma, Prisma.sql`${staleRows(service, column)} LIMIT ${limit}`),
    };
  },
}));

type Reencrypted = Pick<ReencryptCounts, "reencrypted" | "unreadable"> & { readonly lastId: string | null };

function reencryptBatch(service: Service, column: SealedColumn, after: string, batch: number): Promise<Reencrypted> {
  return service.prisma.$transaction((transaction) => reencryptRows(service, transaction, column, after, batch));
}

async function reencryptRows(
  service: Service,
  transaction: Prisma.TransactionClient,
  { table, column, binding }: SealedColumn,
  after: string,
  batch: number,
): Promise<Reencrypted> {
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
      logger.error({ err: error, table, column, id }, "failed to decrypt a sealed value");
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

function staleRows({ secretBox }: Service, { table, column }: SealedColumn): Prisma.Sql {
  return Prisma.sql`SELECT 1 FROM ${Prisma.raw(table)} WHERE NOT starts_with(${Prisma.raw(column)}, ${secretBox.freshPrefix})`;
}
