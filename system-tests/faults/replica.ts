import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { SHUTDOWN_SECONDS } from "../deployment/deployment.ts";
import type { Journal } from "./journal.ts";
import type { Known } from "./known.ts";

interface ReplicaContext {
  readonly known: Known;
  readonly journal: Journal;
  /** The number of database stops, which explain failed shutdowns; `isUp`: it is not stopped now. */
  readonly database: { readonly stops: number; readonly isUp: boolean };
}

const RESTART_PAUSE_MS = 300;

export type Replica = ReturnType<typeof keepRunning>;

/** One process of the service, which is started again whenever it ends, as an orchestrator would. */
export function keepRunning(process: ServiceProcess, { known, journal, database }: ReplicaContext) {
  const { name } = process;
  let isServing = false;
  /** The process received a stop signal or was killed. */
  let isEnding = false;
  let isClosed = false;
  const isReady = () => isServing && !process.isFrozen;
  const kill = async () => {
    isEnding = true;
    await process.kill();
  };
  const whileServing = async () => {
    const { program } = process;
    isServing = true;
    journal.write("process", { name, ready: program.child.pid });
    await program.untilEnded();
    const { exitCode, signalCode } = program.child;
    if (!isEnding) known.processFailures.push(`${name} exited unexpectedly with ${signalCode ?? exitCode}`);
    isServing = false;
    process.isFrozen = false;
  };
  const run = async () => {
    while (!isClosed) {
      isEnding = false;
      // A process that was not ready may end because the database is unavailable: it is restarted.
      await process.start().then(whileServing, () => process.kill());
      if (!isClosed) await delay(RESTART_PAUSE_MS);
    }
  };
  const running = run();
  return {
    name,
    process,
    kill,
    isReady,
    /** False if the process is starting, frozen or ending, so that nothing was done to it. */
    isTarget: () => isReady() && !isEnding,
    /** SIGTERM; the process must shut down cleanly within its limit, unless the database was unavailable. */
    terminate: async () => {
      const { child } = process.program;
      isEnding = true;
      const [before, startMs] = [{ ...database }, performance.now()];
      const isClean = await process.stop().then(
        () => true,
        () => false,
      );
      const seconds = (performance.now() - startMs) / 1_000;
      const ended = child.signalCode ?? child.exitCode;
      journal.write("process", { name, ended, seconds });
      // A process whose work exceeds its limit exits at once, so that a stop is bounded.
      const isLate = child.signalCode === null && seconds >= SHUTDOWN_SECONDS;
      const isUndisturbed = !isLate && before.isUp && before.stops === database.stops;
      if (isUndisturbed && !isClean && !isClosed)
        known.processFailures.push(`${name} ended with ${ended} after SIGTERM`);
    },
    close: async () => {
      isClosed = true;
      await kill();
      await running;
    },
  };
}
