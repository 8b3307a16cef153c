import { performance } from "node:perf_hooks";
import type pg from "pg";
import { isSpent, keepsSession } from "./spentSessions.ts";
import { currentTrail, offTrail, onTrail } from "./trail.ts";

/** A statement that PostgreSQL prepares once for each connection. A name always has the same text. */
export interface ReadStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** What it is for: reads of the same operation wait for the same locks. */
  readonly operation: string;
  /** For whom it reads: the id of an application. */
  readonly owner: string;
}

/** What runs statements of reads. */
export interface ReadQueries {
  query<Row extends pg.QueryResultRow>(statement: ReadStatement): Promise<readonly Row[]>;
}

/** A read joins a connection with fewer reads in flight than this, before it takes another connection. */
const READS_PER_CONNECTION = 16;
/** And with fewer of other owners: the many reads of one owner do not delay those of another. */
const OTHERS_PER_CONNECTION = 8;
/** A connection that has returned no result for this long is blocked: reads of operations other than its first avoid it. */
const BLOCKED_AFTER_MS = 25;
/** How often reads behind a blocked read of another operation are sent again on another connection. */
const MOVE_EVERY_MS = 100;
/** `lock_not_available` and `query_canceled`: the read waited for a lock, or took too long. */
const TIMEOUTS: ReadonlySet<unknown> = new Set(["55P03", "57014"]);

interface InFlight {
  readonly operation: string;
  readonly owner: string;
  /** Sends it again on another connection, once. The first result counts. */
  readonly move: () => void;
}

interface Shared {
  readonly client: pg.PoolClient;
  /** In the order in which they are answered. */
  readonly reads: InFlight[];
  /** When the read that is first now became the first. */
  firstSince: number;
  /** Statements are collected until the current turn of the event loop ends. */
  isCollecting: boolean;
}

/**
 * Runs short reads on few connections, which they share: a read is sent without waiting for the result of the read
 * before it (pipelining). Reads that arrive together are sent, executed and received together, which takes less than
 * half of the database's CPU time and a quarter less of this process's than a connection for each read.
 *
 * Each read is a separate transaction, so an error affects no other read. A read waits for those before it on its
 * connection, so use it only for statements that take a few milliseconds. If an operation blocks, for example because
 * its table is locked, its reads queue on one connection, and other operations use the others until it succeeds again. Needs a pool with
 * `pipeline`.
 */
export class ReadConnections implements ReadQueries {
  readonly #pool: pg.Pool;
  readonly #blockedAfterMs: number;
  /** Connections with reads in flight; the pool has the others. */
  readonly #shared = new Set<Shared>();
  /** Connections that are being taken from the pool: one for each operation that may block, and one for all others. */
  readonly #opening = new Map<string | null, Promise<Shared>>();
  #isWatching = false;
  /** Operations whose last read timed out. The next one probably blocks, too, so reads of others avoid it from the start. */
  readonly #timedOut = new Set<string>();

  constructor(pool: pg.Pool, blockedAfterMs = BLOCKED_AFTER_MS) {
    this.#pool = pool;
    this.#blockedAfterMs = blockedAfterMs;
  }

  query<Row extends pg.QueryResultRow>(statement: ReadStatement): Promise<readonly Row[]> {
    return this.#run(statement, true);
  }

  async #run<Row extends pg.QueryResultRow>(statement: ReadStatement, mayMove: boolean): Promise<readonly Row[]> {
    const { operation, owner } = statement;
    // An operation whose read was behind a blocked one may need the same table, so others do not follow it.
    const separate = !mayMove || this.#timedOut.has(operation) ? operation : null;
    const shared = this.#find(operation, owner, separate) ?? (await this.#open(separate));
    if (!this.#isWatching) offTrail(() => this.#watch());
    const trail = currentTrail();
    return new Promise((resolve, reject) => {
      let isMoved = false;
      const move = () => {
        if (isMoved || !mayMove) return;
        isMoved = true;
        onTrail(trail, () => this.#run<Row>(statement, false)).then(resolve, reject);
      };
      const read = { operation, owner, move };
      this.#send<Row>(shared, read, statement).then(resolve, (error: Error) => {
        if (!isMoved) reject(error);
      });
    });
  }

  async #send<Row extends pg.QueryResultRow>(
    shared: Shared,
    read: InFlight,
    { operation, name, text, values }: ReadStatement,
  ): Promise<readonly Row[]> {
    if (shared.reads.push(read) === 1) shared.firstSince = performance.now();
    collect(shared);
    try {
      // pg does not change the values.
      const { rows } = await shared.client.query<Row>({ name, text, values: values as unknown[] });
      this.#timedOut.delete(operation);
      return rows;
    } catch (error) {
      if (TIMEOUTS.has((error as { code?: unknown }).code)) this.#timedOut.add(operation);
      // The pool closes the connection when it is returned.
      if (!keepsSession(error)) this.#shared.delete(shared);
      throw error;
    } finally {
      shared.reads.splice(shared.reads.indexOf(read), 1);
      shared.firstSince = performance.now();
      if (shared.reads.length === 0) {
        this.#shared.delete(shared);
        shared.client.release();
      }
    }
  }

  /**
   * A read can be sent behind a read that blocks, before that is known. A read changes nothing, so it can be sent twice. One
   * timer while reads are in flight costs less than one for each.
   */
  #watch(): void {
    this.#isWatching = true;
    setTimeout(() => {
      const blockedSince = performance.now() - Math.max(this.#blockedAfterMs, MOVE_EVERY_MS);
      for (const { reads, firstSince } of this.#shared) {
        const [first, ...others] = reads;
        if (first === undefined || firstSince > blockedSince) continue;
        for (const { operation, move } of others) if (operation !== first.operation) move();
      }
      if (this.#shared.size > 0) this.#watch();
      else this.#isWatching = false;
    }, MOVE_EVERY_MS).unref();
  }

  /**
   * The connection to join; null when another should be taken from the pool. Of those with room it is the most used one, so
   * that reads stay together and the other connections become free. A separate read joins only reads of its operation.
   */
  #find(operation: string, owner: string, separate: string | null): Shared | null {
    const blockedSince = performance.now() - this.#blockedAfterMs;
    let withRoom: Shared | null = null;
    let full: Shared | null = null;
    let blocked: Shared | null = null;
    for (const shared of this.#shared) {
      if (isSpent(shared.client)) {
        // It is returned after the reads that were sent.
        this.#shared.delete(shared);
        continue;
      }
      const [first] = shared.reads;
      const isBlocked = first !== undefined && shared.firstSince <= blockedSince;
      if (isBlocked && first.operation === operation) return shared;
      const suspect = this.#timedOut.size > 0 && shared.reads.find((read) => this.#timedOut.has(read.operation));
      if (suspect && suspect.operation === operation) return shared;
      const isOther = separate !== null && shared.reads.some((read) => read.operation !== separate);
      if (isBlocked || suspect) blocked = lessUsed(blocked, shared);
      else if (isOther || !hasRoom(shared, owner)) full = lessUsed(full, shared);
      else if (withRoom === null || withRoom.reads.length < shared.reads.length) withRoom = shared;
    }
    if (withRoom !== null) return withRoom;
    const isOpening = this.#opening.has(separate);
    const mayOpen = isOpening || this.#shared.size < this.#pool.options.max;
    return mayOpen && (separate !== null || full === null || !isOpening) ? null : (full ?? blocked);
  }

  /** `separate` is an operation whose reads do not share the new connection with others. */
  #open(separate: string | null): Promise<Shared> {
    const opening = this.#opening.get(separate);
    if (opening !== undefined) return opening;
    const opened = this.#pool
      .connect()
      .then((client) => {
        const shared = { client, reads: [], firstSince: 0, isCollecting: false };
        this.#shared.add(shared);
        return shared;
      })
      .finally(() => this.#opening.delete(separate));
    this.#opening.set(separate, opened);
    return opened;
  }
}

function hasRoom({ reads }: Shared, owner: string): boolean {
  if (reads.length < OTHERS_PER_CONNECTION) return true;
  if (reads.length >= READS_PER_CONNECTION) return false;
  let others = 0;
  for (const read of reads) if (read.owner !== owner) others += 1;
  return others < OTHERS_PER_CONNECTION;
}

function lessUsed(one: Shared | null, other: Shared): Shared {
  return one !== null && one.reads.length <= other.reads.length ? one : other;
}

/** One write for all statements of a turn of the event loop: a write for each took a sixth of a small read. */
function collect(shared: Shared): void {
  if (shared.isCollecting) return;
  shared.isCollecting = true;
  const { stream } = shared.client.connection;
  stream.cork();
  setImmediate(() => {
    shared.isCollecting = false;
    stream.uncork();
  });
}
