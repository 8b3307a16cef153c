import { Prisma } from "../../_generated/prisma/client.ts";
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
  /** Handles up to `limit` due rows, in separate transactions. Returns how many it found; fewer than `limit` ends the run. */
  readonly batch: (limit: number) => Promise<number>;
  /** How many rows are due, counted up to `limit`. */
  readonly countDue: (limit: number) => Promise<number>;
}

interface DueRows {
  readonly table: string;
  /** The columns of the table's key. */
  readonly key?: string;
  /** A condition that an index serves. */
  readonly due: (now: Date) => Prisma.Sql;
  /**
   * The columns of that index. Without an order the database may scan the table from its start, where each batch leaves
   * old row versions behind: each batch would be slower than the last.
   */
  readonly order: string;
}

/** Deletes the rows of a table that are due. */
export function deletionSweep(name: string, rows: DueRows): Sweep {
  return statementSweep(name, rows, Prisma.sql`DELETE FROM ${Prisma.raw(rows.table)}`);
}

/** Changes the rows of a table that are due, so that they no longer are. `set` is the list after SET. */
export function updateSweep(name: string, { set, ...rows }: DueRows & { readonly set: Prisma.Sql }): Sweep {
  return statementSweep(name, rows, Prisma.sql`UPDATE ${Prisma.raw(rows.table)} SET ${set}`);
}

function statementSweep(name: string, rows: DueRows, change: Prisma.Sql): Sweep {
  const [table, key, order] = [rows.table, rows.key ?? "id", rows.order].map((text) => Prisma.raw(text));
  return {
    name,
    begin: ({ prisma }, now) => {
      const due = rows.due(now);
      return {
        // Another process may hold rows of the batch. It handles them, or the next run does.
        batch: (limit) => prisma.$executeRaw`
          ${change} WHERE (${key}) IN (
            SELECT ${key} FROM ${table} WHERE ${due} ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
        countDue: (limit) => countRows(prisma, Prisma.sql`SELECT 1 FROM ${table} WHERE ${due} LIMIT ${limit}`),
      };
    },
  };
}

/** Handles due rows one by one. A row that fails is logged and left for the next run, and the others are handled. */
export function rowSweep<Row extends { readonly id: string; readonly createdAt: Date }>(
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
          return rows.length;
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
