import { performance } from "node:perf_hooks";
import type { Pool } from "pg";
import { offTrail } from "../call/trail.ts";
import { inTransaction } from "../database/session.ts";

/**
 * The source of time. A use case reads it once and passes it on, so that all its decisions and writes agree. Tests use
 * the testkit's clock, which is fixed until it is moved.
 */
export interface Clock {
  now(): Promise<Date>;
  /** The time without moves: to measure how long something took, never for a rule. */
  unmoved(): Promise<Date>;
  /** Calls `run` once after a delay without moves; returns how to cancel it. For waits of this process, never for a rule. */
  after(delayMs: number, run: () => void): () => void;
}

/** The age of a measurement from which the next reading starts a new one. */
const REMEASURE_AFTER_MS = 30_000;
/** From this age on (a process that slept) a reading waits for the new measurement. */
const WAIT_AFTER_MS = 2 * REMEASURE_AFTER_MS;
/**
 * When wall clock and monotonic clock differ by this much, the machine slept or its clock was set, so the measurement
 * is discarded.
 */
const SUSPICIOUS_DRIFT_MS = 1_000;

interface Measurement {
  readonly databaseMs: number;
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * The database's time, so that replicas with skewed clocks agree on every deadline. Between measurements the process's
 * monotonic clock is added; a reading costs no round trip. While the database is unavailable the last measurement is
 * used: nothing can be written then anyway.
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
    // Not awaited: this reading is still valid. A failure appears in the reading that has to wait.
    if (ageMs > REMEASURE_AFTER_MS) void this.#measure().catch(() => undefined);
    return at(last);
  }

  unmoved(): Promise<Date> {
    return this.now();
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  }

  #measure(): Promise<Measurement> {
    // For all who ask: the caller that asks first may leave, and may wait longer for a connection.
    this.#running ??= offTrail(() => this.#ask()).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(): Promise<Measurement> {
    const before = performance.now();
    const { rows } = await this.#pool.query<{ ms: string }>(
      "SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::text AS ms",
    );
    // The result was valid at some time between request and response; the middle halves the maximum error.
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
 * A clock that can be moved, for development and tests; never for a live service. Every reading queries the database
 * for its time and the offset, so all processes agree exactly and move together.
 */
export class MovableClock implements Clock {
  readonly #pool: Pool;
  readonly #base: Clock;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#base = new SystemClock(pool);
  }

  async now(): Promise<Date> {
    const { rows } = await this.#pool.query<{ ms: string }>(
      `SELECT round(extract(epoch FROM clock_timestamp()) * 1000)
         + coalesce((SELECT offset_ms FROM clock_offset WHERE id = 1), 0) AS ms`,
    );
    return new Date(Number(rows[0]?.ms));
  }

  unmoved(): Promise<Date> {
    return this.#base.now();
  }

  after(delayMs: number, run: () => void): () => void {
    return this.#base.after(delayMs, run);
  }

  /**
   * Moves the clock by `byMs` milliseconds. The job queue uses the database's real time, so the same transaction moves
   * the start times of waiting tasks closer by as much.
   */
  async advance(byMs: number): Promise<Date> {
    const client = await this.#pool.connect();
    try {
      await inTransaction(client, async () => {
        await client.query(
          `INSERT INTO clock_offset (id, offset_ms) VALUES (1, $1)
           ON CONFLICT (id) DO UPDATE SET offset_ms = clock_offset.offset_ms + excluded.offset_ms`,
          [Math.round(byMs)],
        );
        const { rows } = await client.query<{ present: boolean }>(
          "SELECT to_regclass('pgboss.job') IS NOT NULL AS present",
        );
        if (!rows[0]?.present) return;
        await client.query(
          `UPDATE pgboss.job SET start_after = start_after - make_interval(secs => $1)
           WHERE state IN ('created', 'retry')`,
          [byMs / 1_000],
        );
      });
    } finally {
      client.release();
    }
    return this.now();
  }
}
