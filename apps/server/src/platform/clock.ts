import { performance } from "node:perf_hooks";
import type { Pool } from "pg";

/**
 * Where the time comes from. A use case reads it once and passes it on, so that all it decides and writes agrees.
 * Tests use the clock of the testkit, which stands still until it is moved.
 */
export interface Clock {
  now(): Promise<Date>;
  /** The time as if nobody had ever moved the clock: for how long something has really been going on, and for no rule. */
  unmoved(): Promise<Date>;
}

/** How old a measurement may grow before the next reading starts a new one. */
const REMEASURE_AFTER_MS = 30_000;
/** From this age on (a process that slept) a reading waits for the new measurement. */
const WAIT_AFTER_MS = 2 * REMEASURE_AFTER_MS;
/** Wall clock and monotonic clock apart by this much: the machine slept or was set, so the measurement is void. */
const SUSPICIOUS_DRIFT_MS = 1_000;

interface Measurement {
  readonly databaseMs: number;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * The database's time, so that replicas with skewed clocks agree on every deadline. Between measurements the process's
 * monotonic clock carries it on; a reading costs no round trip. While the database is away the last measurement stands:
 * nothing can be written then anyway.
 */
export class SystemClock implements Clock {
  readonly #pool: Pool;
  #last: Measurement | undefined;
  #running: Promise<Measurement> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async now(): Promise<Date> {
    const last = this.#last;
    if (last === undefined) return at(await this.#measure());
    const ageMs = performance.now() - last.monotonicMs;
    const driftMs = Math.abs(Date.now() - last.wallMs - ageMs);
    if (ageMs > WAIT_AFTER_MS || driftMs > SUSPICIOUS_DRIFT_MS) return at(await this.#measure().catch(() => last));
    // Not awaited: this reading is still good, the next one will be better. A failure shows in the one that has to wait.
    if (ageMs > REMEASURE_AFTER_MS) void this.#measure().catch(() => undefined);
    return at(last);
  }

  unmoved(): Promise<Date> {
    return this.now();
  }

  #measure(): Promise<Measurement> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(): Promise<Measurement> {
    const before = performance.now();
    const { rows } = await this.#pool.query<{ ms: string }>(
      "SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::text AS ms",
    );
    // The answer was true somewhere between question and answer; the middle halves the possible error.
    const halfMs = (performance.now() - before) / 2;
    const wallMs = Date.now() - halfMs;
    const measurement = { databaseMs: Number(rows[0]?.ms), monotonicMs: before + halfMs, wallMs };
    this.#last = measurement;
    return measurement;
  }
}

function at(measurement: Measurement): Date {
  return new Date(Math.round(measurement.databaseMs + performance.now() - measurement.monotonicMs));
}

/**
 * A clock that can be moved, for development and for proofs; never for a live service. How far it was moved is a row in
 * the database that every reading asks for, so all processes jump together, in the same moment.
 */
export class MovableClock implements Clock {
  readonly #pool: Pool;
  readonly #base: Clock;

  constructor(pool: Pool, base: Clock = new SystemClock(pool)) {
    this.#pool = pool;
    this.#base = base;
  }

  async now(): Promise<Date> {
    const [{ rows }, now] = await Promise.all([
      this.#pool.query<{ offset_ms: string }>("SELECT offset_ms FROM clock_offset WHERE id = 1"),
      this.#base.now(),
    ]);
    return new Date(now.getTime() + Number(rows[0]?.offset_ms ?? 0));
  }

  unmoved(): Promise<Date> {
    return this.#base.now();
  }

  /**
   * Moves the clock by `byMs` milliseconds. The job queue keeps its own time, which stands still, so what waits there
   * for a later moment is brought as much nearer in the same transaction.
   */
  async advance(byMs: number): Promise<Date> {
    const client = await this.#pool.connect();
    try {
      await client.query("BEGIN");
      await client.query(
        `INSERT INTO clock_offset (id, offset_ms) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET offset_ms = clock_offset.offset_ms + excluded.offset_ms`,
        [Math.round(byMs)],
      );
      const { rows } = await client.query<{ present: boolean }>(
        "SELECT to_regclass('pgboss.job') IS NOT NULL AS present",
      );
      if (rows[0]?.present) {
        await client.query(
          `UPDATE pgboss.job SET start_after = start_after - make_interval(secs => $1)
           WHERE state IN ('created', 'retry')`,
          [byMs / 1_000],
        );
      }
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
    return this.now();
  }
}
