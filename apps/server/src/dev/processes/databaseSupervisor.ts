import type { ServiceDatabase } from "../../platform/embeddedDatabase/serviceDatabase.ts";
import { keepRunning, type Running } from "../../platform/process/keepRunning.ts";
import { endOfDetached } from "../../platform/process/processIdentity.ts";

export interface DatabaseEvents {
  /** PostgreSQL ended without being stopped, and will be restarted. */
  readonly onRestart: () => void;
  readonly onRestarted: () => void;
  /** It is no longer restarted. */
  readonly onFailure: (error: Error) => void;
  /** The process id changed; null while it restarts. */
  readonly onPidChanged: () => void;
}

const AT_ONCE = { firstMs: 0, mostMs: 0, stableMs: 0 };
/** After this many restarts within the window, another end is a failure. */
export const MOST_RESTARTS = 3;
export const WINDOW_MS = 300_000;

/** Runs the embedded database of a development environment, and restarts it with its data when it ends. */
export class DatabaseSupervisor {
  readonly #startDatabase: () => Promise<ServiceDatabase>;
  readonly #endOf: (pid: number) => Promise<string>;
  readonly #nowMs: () => number;
  readonly #stopping = new AbortController();
  #restartedAtMs: readonly number[] = [];
  #starting: Promise<ServiceDatabase & Running> | undefined;
  #current: ServiceDatabase | null = null;

  constructor(start: () => Promise<ServiceDatabase>, endOf = endOfDetached, nowMs = () => performance.now()) {
    this.#startDatabase = start;
    this.#endOf = endOf;
    this.#nowMs = nowMs;
  }

  /** Returns the database's URL, which every restart keeps. */
  async start(): Promise<string> {
    return (await this.#start()).url;
  }

  get pid(): number | null {
    return this.#current?.pid ?? null;
  }

  /** Restarts the database from now on. */
  async watch(events: DatabaseEvents): Promise<void> {
    const first = await this.#starting;
    if (first === undefined) return;
    const start = async () => {
      const database = await this.#start();
      events.onRestarted();
      events.onPidChanged();
      return database;
    };
    const onEnd = () => {
      this.#current = null;
      events.onPidChanged();
      this.#countRestart();
      events.onRestart();
    };
    const onFailure = (error: Error) => {
      throw error;
    };
    const { signal } = this.#stopping;
    await keepRunning(first, { start, signal, delays: AT_ONCE, onEnd, onFailure }).catch(events.onFailure);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => undefined);
    await this.#current?.stop();
  }

  #start(): Promise<ServiceDatabase & Running> {
    this.#starting = this.#startDatabase().then((database) => {
      this.#current = database;
      return { ...database, ended: this.#endOf(database.pid) };
    });
    return this.#starting;
  }

  #countRestart(): void {
    const now = this.#nowMs();
    const recent = this.#restartedAtMs.filter((at) => now - at < WINDOW_MS);
    if (recent.length >= MOST_RESTARTS) {
      const times = `${recent.length + 1} times within ${WINDOW_MS / 60_000} minutes`;
      throw new Error(`the embedded database ended unexpectedly ${times}; its log is postgres.log in the data folder`);
    }
    this.#restartedAtMs = [...recent, now];
  }
}
