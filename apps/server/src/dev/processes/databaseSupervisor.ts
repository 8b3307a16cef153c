import type { ServiceDatabase } from "../../platform/embeddedDatabase/serviceDatabase.ts";
import { identifyProcess, isStillRunning, type ProcessIdentity } from "../../platform/processIdentity.ts";

export interface DatabaseEvents {
  /** PostgreSQL ended without being stopped, and will be restarted. */
  readonly onRestart: () => void;
  readonly onRestarted: () => void;
  /** It is no longer restarted. */
  readonly onFailure: (error: Error) => void;
  /** The process id changed; null while it restarts. */
  readonly onPidChanged: () => void;
}

export interface DatabaseParts {
  readonly start: () => Promise<ServiceDatabase>;
  readonly identify: (pid: number) => Promise<ProcessIdentity | null>;
  readonly isRunning: (identity: ProcessIdentity) => Promise<boolean>;
  readonly nowMs: () => number;
}

/** PostgreSQL runs detached, so this process gets no event when it ends. */
const CHECK_EVERY_MS = 250;
/** After this many restarts within the window, another end is a failure. */
export const MOST_RESTARTS = 3;
export const WINDOW_MS = 300_000;

/** Runs the embedded database of a development environment, and restarts it with its data when it ends. */
export class DatabaseSupervisor {
  readonly #parts: DatabaseParts;
  readonly #restartedAtMs: number[] = [];
  #events: DatabaseEvents | null = null;
  #current: ServiceDatabase | null = null;
  #identity: ProcessIdentity | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** A check or a restart in progress. */
  #work: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(start: () => Promise<ServiceDatabase>, parts: Partial<DatabaseParts> = {}) {
    const nowMs = () => performance.now();
    this.#parts = { start, identify: identifyProcess, isRunning: isStillRunning, nowMs, ...parts };
  }

  /** Returns the database's URL, which every restart keeps. */
  async start(): Promise<string> {
    const { url } = await this.#start();
    return url;
  }

  get pid(): number | null {
    return this.#current?.pid ?? null;
  }

  watch(events: DatabaseEvents): void {
    this.#events = events;
    this.#checkLater();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#work;
    await this.#current?.stop();
  }

  /** Restarts PostgreSQL if it has ended. */
  async check(): Promise<void> {
    if (this.#identity !== null && (await this.#parts.isRunning(this.#identity))) return;
    if (this.#isStopping) return;
    this.#current = null;
    this.#events?.onPidChanged();
    try {
      this.#countRestart();
      this.#events?.onRestart();
      await this.#start();
      this.#events?.onRestarted();
      this.#events?.onPidChanged();
    } catch (error) {
      this.#isStopping = true;
      this.#events?.onFailure(error as Error);
    }
  }

  async #start(): Promise<ServiceDatabase> {
    const database = await this.#parts.start();
    this.#current = database;
    this.#identity = await this.#parts.identify(database.pid);
    return database;
  }

  #countRestart(): void {
    const now = this.#parts.nowMs();
    const recent = this.#restartedAtMs.filter((at) => now - at < WINDOW_MS);
    if (recent.length >= MOST_RESTARTS) {
      const times = `${recent.length + 1} times within ${WINDOW_MS / 60_000} minutes`;
      throw new Error(`the embedded database ended unexpectedly ${times}; its log is postgres.log in the data folder`);
    }
    this.#restartedAtMs.splice(0, Number.POSITIVE_INFINITY, ...recent, now);
  }

  #checkLater(): void {
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => {
      this.#work = this.check();
      void this.#work.then(() => this.#checkLater());
    }, CHECK_EVERY_MS);
  }
}
