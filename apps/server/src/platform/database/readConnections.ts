import { performance } from "node:perf_hooks";
import { AppError } from "@social-connect/domain";
import type pg from "pg";
import { isSpent, socketOf } from "./openConnections.ts";
import { keepsSession } from "./spentSessions.ts";

/** A statement that PostgreSQL prepares once for each connection. A name always has the same text. */
export interface ReadStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What runs statements of reads. */
export interface ReadQueries {
  query<Row extends pg.QueryResultRow>(statement: ReadStatement): Promise<readonly Row[]>;
}

/** A connection whose oldest read is older is not joined: a later read would wait for it. */
const YOUNG_MS = 25;
/**
 * `lock_not_available`, `query_canceled`, and `invalid_sql_statement_name`: the read before, which would have prepared the
 * statement, ended at a timeout.
 */
const TIMEOUTS: ReadonlySet<unknown> = new Set(["55P03", "57014", "26000"]);

interface Shared {
  readonly client: Promise<pg.PoolClient>;
  /** When each read in flight was sent. PostgreSQL answers them in this order. */
  readonly sentAt: number[];
}

/**
 * Runs short reads on few connections, which they share: a read is sent without waiting for the result of the read
 * before it, and each is a separate transaction. Use it only for statements that take a few milliseconds, with a pool
 * that has the option `pipeline`.
 */
export class ReadConnections implements ReadQueries {
  readonly #pool: pg.Pool;
  readonly #youngMs: number;
  readonly #shared = new Set<Shared>();

  constructor(pool: pg.Pool, youngMs = YOUNG_MS) {
    this.#pool = pool;
    this.#youngMs = youngMs;
  }

  async query<Row extends pg.QueryResultRow>({ name, text, values }: ReadStatement): Promise<readonly Row[]> {
    const shared = this.#join();
    shared.sentAt.push(performance.now());
    try {
      const client = await shared.client;
      // Later reads use another session.
      if (isSpent(client)) this.#shared.delete(shared);
      sendAtEndOfTurn(client);
      return (await client.query<Row>({ name, text, values: [...values] })).rows;
    } catch (error) {
      if (!keepsSession(error)) this.#shared.delete(shared);
      throw isTimeout(error) ? tookTooLong(error) : error;
    } finally {
      shared.sentAt.shift();
      if (shared.sentAt.length === 0) {
        const isUsable = this.#shared.delete(shared);
        shared.client.then(
          (client) => client.release(!isUsable),
          () => undefined,
        );
      }
    }
  }

  /** The busiest connection whose oldest read is young; without one another connection, or else the least busy. */
  #join(): Shared {
    const youngSince = performance.now() - this.#youngMs;
    const byReads = [...this.#shared].sort((one, other) => other.sentAt.length - one.sentAt.length);
    const young = byReads.find(({ sentAt: [oldest = youngSince] }) => oldest >= youngSince);
    if (young !== undefined) return young;
    const leastBusy = byReads.at(-1);
    if (leastBusy !== undefined && byReads.length >= this.#pool.options.max) return leastBusy;
    const shared: Shared = { client: this.#pool.connect(), sentAt: [] };
    this.#shared.add(shared);
    return shared;
  }
}

/** One system call sends all reads of a turn of the event loop. One for each read took a sixth of the time of a read. */
function sendAtEndOfTurn(client: pg.PoolClient): void {
  const socket = socketOf(client);
  if (socket === undefined || socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

/** A timeout of the database, or of the driver, which has no code and closes the connection, so that the reads behind it end too. */
function isTimeout(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return TIMEOUTS.has(code) || (code === undefined && /timeout|terminated|not queryable/i.test(String(message)));
}

function tookTooLong(cause: unknown): AppError {
  const message = "The database was too slow to read from. Try again later.";
  return new AppError({ code: "UPSTREAM_UNAVAILABLE", message, retryAfterSeconds: 1 }, { cause });
}
