import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { SHUTDOWN_SECONDS } from "../deployment/deployment.ts";
import type { Journal } from "./journal.ts";
import type { Known } from "./known.ts";

export interface ReplicaContext {
  readonly known: Known;
  readonly journal: Journal;
  /** The number of database stops, which explain failed shutdowns; `isUp`: it is not stopped now. */
  readonly database: { readonly stops: number; readonly isUp: boolean };
}

const RESTART_PAUSE_MS = 300;

/** One process of the service, which is started again whenever it ends, as an orchestrator would. */
export class Replica {
  readonly process: ServiceProcess;
  readonly #context: ReplicaContext;
  #isReady = false;
  /** The process received a stop signal or was killed. */
  #isEnding = false;
  #isClosed = false;
  readonly #running: Promise<void>;

  constructor(process: ServiceProcess, context: ReplicaContext) {
    this.process = process;
    this.#context = context;
    this.#running = this.#keepRunning();
  }

  get name(): string {
    return this.process.name;
  }

  get isReady(): boolean {
    return this.#isReady && !this.process.isFrozen;
  }

  /** False when there is nothing to be done it to: it is starting, frozen or ending. */
  get isTarget(): boolean {
    return this.isReady && !this.#isEnding;
  }

  async kill(): Promise<void> {
    this.#isEnding = true;
    await this.process.kill();
  }

  resume(): void {
    if (this.process.isFrozen) this.process.resume();
  }

  /** SIGTERM; the process must shut down cleanly within its limit, unless the database was unavailable. */
  async terminate(): Promise<void> {
    const { database, known, journal } = this.#context;
    const { child } = this.process.program;
    this.#isEnding = true;
    const [before, startMs] = [{ ...database }, performance.now()];
    const isClean = await this.process.stop().then(
      () => true,
      () => false,
    );
    const seconds = (performance.now() - startMs) / 1_000;
    const ended = child.signalCode ?? child.exitCode;
    journal.write("process", { name: this.name, ended, seconds });
    // A process whose work does not end within its limit ends itself without order, so that a stop is bounded.
    const isLate = child.signalCode === null && seconds >= SHUTDOWN_SECONDS;
    const isUndisturbed = !isLate && before.isUp && before.stops === database.stops;
    if (isUndisturbed && !isClean && !this.#isClosed)
      known.processFailures.push(`${this.name} ended with ${ended} after SIGTERM`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.kill();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    while (!this.#isClosed) {
      this.#isEnding = false;
      // A process that was not ready may end because the database is unavailable: it is restarted.
      await this.process.start().then(
        () => this.#whileReady(),
        () => this.process.kill(),
      );
      if (!this.#isClosed) await delay(RESTART_PAUSE_MS);
    }
  }

  async #whileReady(): Promise<void> {
    const { known, journal } = this.#context;
    const { program } = this.process;
    this.#isReady = true;
    journal.write("process", { name: this.name, ready: program.child.pid });
    await program.untilEnded();
    const { exitCode, signalCode } = program.child;
    if (!this.#isEnding) known.processFailures.push(`${this.name} exited unexpectedly with ${signalCode ?? exitCode}`);
    this.#isReady = false;
    this.process.isFrozen = false;
  }
}
