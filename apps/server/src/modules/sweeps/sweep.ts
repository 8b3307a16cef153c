import { Prisma } from "../../_generated/prisma/client.ts";
import { groupByShard, type OwnedRow, ownedBy, type ShardGroup } from "../../platform/distribution/shardGroups.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";

/** Rows of a batch, which bounds how long its statements hold locks. */
export const BATCH_SIZE = 1_000;

/** Maintenance of rows that are due, in batches. Concurrent runs are safe. */
export interface Sweep {
  readonly name: string;
  /** Rows of a batch if each costs more than a part of a statement. */
  readonly batchSize?: number;
  readonly begin: (service: Service, now: Date) => SweepRun;
}

/** One run of a sweep, at one time of the service's clock. */
export interface SweepRun {
  /** Handles up to `limit` due rows, in separate transactions. */
  readonly batch: (limit: number) => Promise<Batch>;
  /** How many rows are due, counted up to `limit`. */
  readonly countDue: (limit: number) => Promise<number>;
}

export interface Batch {
  readonly handled: number;
  /** Whether no other row is due, or each that is belongs to another process. */
  readonly isLast: boolean;
  /** Why the only row of the batch failed. Later batches of the run skip it. */
  readonly rowError?: unknown;
}

interface DueRows {
  readonly table: string;
  /** A condition that an index serves. */
  readonly due: (now: Date) => Prisma.Sql;
  /**
   * The columns of that index. Without an order the database may scan the table from its start, where each batch leaves
   * old row versions behind: each batch would be slower than the last.
   */
  readonly order: string;
}

interface OwnedRows extends DueRows {
  /** The column that, with `application_id`, names a row or a few. */
  readonly id?: string;
}

/** Deletes the rows of a table with `application_id` that are due. */
export function deletionSweep(name: string, rows: OwnedRows): Sweep {
  return ownedSweep(name, rows, Prisma.sql`DELETE FROM ${Prisma.raw(rows.table)}`);
}

/** Changes the rows of a table with `application_id` that are due, so that they no longer are. `set` is the list after SET. */
export function updateSweep(name: string, { set, ...rows }: OwnedRows & { readonly set: Prisma.Sql }): Sweep {
  return ownedSweep(name, rows, Prisma.sql`UPDATE ${Prisma.raw(rows.table)} SET ${set}`);
}

function ownedSweep(name: string, rows: OwnedRows, change: Prisma.Sql): Sweep {
  const id = Prisma.raw(rows.id ?? "id");
  return groupSweep(name, rows, ({ prisma }, group, due) => {
    // Another process may hold rows of the batch. It handles them, or the next run does.
    return prisma.$executeRaw`
      ${change} WHERE ${ownedBy(group)} AND ${id} IN (
        SELECT ${id} FROM ${Prisma.raw(rows.table)} WHERE ${ownedBy(group)} AND ${id} = ANY(${idsOf(group)}::uuid[]) AND ${due}
           FOR UPDATE SKIP LOCKED)`;
  });
}

/**
 * Finds due rows of all applications without locking them, then handles those of each shard with one call, which locks
 * them and checks again that they are due. Citus locks rows only in a statement for one shard.
 */
export function groupSweep(
  name: string,
  { table, id = "id", due: isDue, order }: OwnedRows,
  /** Returns the number of rows that it changed. */
  handle: (service: Service, group: ShardGroup<RowKey>, due: Prisma.Sql, now: Date) => Promise<number>,
): Sweep {
  const from = Prisma.raw(table);
  return {
    name,
    begin: (service, now) => {
      const { prisma } = service;
      const due = isDue(now);
      const failed: string[] = [];
      return {
        batch: async (limit) => {
          const rows = await prisma.$queryRaw<RowKey[]>`
            SELECT application_id AS "applicationId", ${Prisma.raw(id)} AS id FROM ${from} WHERE ${due} ${skip(id, failed)}
             ORDER BY ${Prisma.raw(order)} LIMIT ${limit}`;
          return handleBatch(prisma, { rows, limit, failed }, (group) => handle(service, group, due, now));
        },
        countDue: (limit) => countRows(prisma, Prisma.sql`SELECT 1 FROM ${from} WHERE ${due} LIMIT ${limit}`),
      };
    },
  };
}

export function idsOf(group: ShardGroup<RowKey>): string[] {
  return group.rows.map(({ id }) => id);
}

/** A condition that skips rows which failed, as the end of a list of conditions. `key` is a column, or a list of columns. */
export function skip(key: string, failed: readonly string[]): Prisma.Sql {
  return failed.length === 0 ? Prisma.empty : Prisma.sql`AND ROW(${Prisma.raw(key)})::text <> ALL(${failed})`;
}

/** Handles the rows of each shard. If the only row fails, adds it to `failed`. */
export async function handleBatch(
  prisma: Service["prisma"],
  { rows, limit, failed }: { readonly rows: readonly RowKey[]; readonly limit: number; readonly failed: string[] },
  handle: (group: ShardGroup<RowKey>) => Promise<number>,
): Promise<Batch> {
  try {
    const handled = await handleGroups(prisma, rows, handle);
    return { handled, isLast: handled === 0 || rows.length < limit };
  } catch (error) {
    const [row, ...others] = rows;
    if (row === undefined || others.length > 0) throw error;
    failed.push(`(${row.id})`);
    return { handled: 0, isLast: false, rowError: error };
  }
}

/** Handles the rows of each shard. A failing group does not stop the others; its error is thrown after them. */
async function handleGroups<Row extends OwnedRow>(
  prisma: Service["prisma"],
  rows: readonly Row[],
  handle: (group: ShardGroup<Row>) => Promise<number>,
): Promise<number> {
  let handled = 0;
  const errors: unknown[] = [];
  for (const group of await groupByShard(prisma, rows)) {
    await handle(group).then(
      (count) => {
        handled += count;
      },
      (error: unknown) => errors.push(error),
    );
  }
  if (errors.length > 0) throw errors[0];
  return handled;
}

/** Deletes the rows that are due of a table that is not distributed. */
export function localDeletionSweep(name: string, rows: DueRows & { readonly key?: string }): Sweep {
  const keyColumns = rows.key ?? "id";
  const [table, key, order] = [rows.table, keyColumns, rows.order].map((text) => Prisma.raw(text));
  return {
    name,
    begin: ({ prisma }, now) => {
      const due = rows.due(now);
      const failed: string[] = [];
      return {
        batch: async (limit) => {
          const next = Prisma.sql`${table} WHERE ${due} ${skip(keyColumns, failed)} ORDER BY ${order} LIMIT ${limit}`;
          try {
            const handled = await prisma.$executeRaw`
              DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${next} FOR UPDATE SKIP LOCKED)`;
            return { handled, isLast: handled < limit };
          } catch (error) {
            if (limit > 1) throw error;
            const [row] = await prisma.$queryRaw<{ key: string }[]>`SELECT ROW(${key})::text AS key FROM ${next}`;
            if (row === undefined) throw error;
            failed.push(row.key);
            return { handled: 0, isLast: false, rowError: error };
          }
        },
        countDue: (limit) => countRows(prisma, Prisma.sql`SELECT 1 FROM ${table} WHERE ${due} LIMIT ${limit}`),
      };
    },
  };
}

/** Handles due rows one by one. A row that fails is logged and left for the next run, and the others are handled. */
export function rowSweep<Row extends Position>(
  name: string,
  {
    batchSize,
    find,
    handle,
  }: {
    readonly batchSize: number;
    /** Due rows after a position, ordered by creation time and id. */
    readonly find: (service: Service, now: Date, after: Position, limit: number) => Promise<readonly Row[]>;
    readonly handle: (service: Service, row: Row, now: Date) => Promise<unknown>;
  },
): Sweep {
  return {
    name,
    batchSize,
    begin: (service, now) => {
      let after = FIRST;
      return {
        batch: async (limit) => {
          const rows = await find(service, now, after, limit);
          for (const row of rows) {
            await handle(service, row, now).catch((error: unknown) =>
              service.logger.error({ err: error, sweep: name, id: row.id }, "a sweep could not handle a row"),
            );
            after = row;
          }
          return { handled: rows.length, isLast: rows.length < limit };
        },
        countDue: async (limit) => (await find(service, now, FIRST, Math.min(limit, MOST_ROWS))).length,
      };
    },
  };
}

/** A place in a list that is ordered by creation time and id. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

export const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
const FIRST: Position = { createdAt: new Date(0), id: LOWEST_ID };
/** Rows that are loaded to count them. */
const MOST_ROWS = 10_000;

/** A time as a parameter of a statement. */
export function timestamp(at: Date): Prisma.Sql {
  return Prisma.sql`${at.toISOString()}::timestamptz`;
}

/** The number of rows of a bounded query. */
export async function countRows(prisma: Pick<Service["prisma"], "$queryRaw">, query: Prisma.Sql): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM (${query}) AS due`;
  return row?.count ?? 0;
}
