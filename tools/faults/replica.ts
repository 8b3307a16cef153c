import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ChildPlan, forwardLines, spawnChild } from "../../apps/server/src/dev/processes/processSupervisor.ts";
import type { Facts } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { ReplicaName } from "./plan.ts";

export interface ReplicaContext {
  readonly folder: string;
  readonly facts: Facts;
  readonly journal: Journal;
  /** The number of database stops, which explain failed shutdowns. */
  readonly databaseStops: () => number;
  readonly isDatabaseUp: () => boolean;
}

const RESTART_PAUSE_MS = 300;
/** From here on a process ends itself without order, so that a stop is bounded (STOP_TIMEOUT_MS of a child); it may. */
const STOP_BOUND_SECONDS = 7;
const STOP_PATIENCE_MS = 60_000;

/** One process of the service, which is started again whenever it ends, as an orchestrator would. */
export class Replica {
  readonly name: ReplicaName;
  readonly #plan: ChildPlan;
  readonly #context: ReplicaContext;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  #isReady = false;
  #isFrozen = false;
  /** The process received a stop signal or was killed. */
  #isEnding = false;
  #isClosed = false;
  #running: Promise<void>;

  constructor(name: ReplicaName, plan: ChildPlan, context: ReplicaContext) {
    this.name = name;
    this.#plan = plan;
    this.#context = context;
    this.#log = createWriteStream(join(context.folder, `${name}.log`), { mode: 0o600 });
    this.#running = this.#keepRunning();
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isFrozen;
  }

  /** False when there is nothing to be done it to: it is starting, frozen or ending. */
  get isTarget(): boolean {
    return this.isReady && !this.#isEnding;
  }

  kill(): void {
    this.#isEnding = true;
    this.#child?.kill("SIGKILL");
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#child?.kill("SIGCONT");
  }

  /** SIGTERM; the process must shut down cleanly within its limit, unless the database was unavailable. */
  async terminate(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#isEnding = true;
    const stopsBefore = this.#context.databaseStops();
    const wasUp = this.#context.isDatabaseUp();
    const startMs = performance.now();
    const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
    child.kill("SIGTERM");
    await ended(child);
    clearTimeout(impatience);
    const { exitCode, signalCode } = child;
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    this.#context.journal.write("process", { name: this.name, ended: signalCode ?? exitCode, seconds });
    const isLate = signalCode === null && seconds >= STOP_BOUND_SECONDS;
    const isUndisturbed = !isLate && wasUp && stopsBefore === this.#context.databaseStops();
    if (isUndisturbed && exitCode !== 0 && !this.#isClosed) {
      this.#context.facts.processFailures.push(`${this.name} ended with ${signalCode ?? exitCode} after SIGTERM`);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isEnding = true;
    this.#child?.kill("SIGKILL");
    await this.#running;
    this.#log.end();
  }

  async #keepRunning(): Promise<void> {
    while (!this.#isClosed) {
      await this.#runOnce();
      if (!this.#isClosed) await delay(RESTART_PAUSE_MS);
    }
  }

  async #runOnce(): Promise<void> {
    const { facts, journal } = this.#context;
    this.#isEnding = false;
    const child = spawnChild(this.#plan);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) forwardLines(stream, (line) => this.#log.write(`${line}\n`));
    child.once("message", () => {
      this.#isReady = true;
      journal.write("process", { name: this.name, ready: child.pid });
    });
    await ended(child);
    // A process that was not ready may exit because the database is unavailable: it is restarted.
    if (this.#isReady && !this.#isEnding) {
      facts.processFailures.push(`${this.name} exited unexpectedly with ${child.signalCode ?? child.exitCode}`);
    }
    this.#isReady = false;
    this.#isFrozen = false;
    this.#child = null;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
