import { setTimeout as delay } from "node:timers/promises";
import type { Application } from "../../packages/conformance/src/target/target.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { startDurableDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { findUnsettled } from "../facts/facts.ts";
import type { Journal } from "./journal.ts";
import type { Known } from "./known.ts";
import { installProbes } from "./probes.ts";
import { keepRunning } from "./replica.ts";

/** An application of the run, with the admin API's id of it. */
export type ApplicationAccess = Application & { readonly id: string };

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const READY_MS = 180_000;
/** A killed worker's task is taken over within 20 seconds and a cut-off renewal is given up after 60; this is far more. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 250;
const SWEEP_EVERY_MS = 5_000;
const LONGEST_STEP_MS = 15 * 60_000;

/** Two apis, two workers, PostgreSQL and the simulator, with one public address for both apis, and two applications. */
export async function startCluster(logFolder: string, known: Known, journal: Journal) {
  await using starting = new AsyncDisposableStack();
  // Not the fast and forgetful settings of other tests: what is confirmed must be on disk.
  const postgres = await startDurableDatabase();
  starting.defer(() => postgres.stop());
  const database = { stops: 0, isUp: true };
  const deployment = starting.use(
    await startDeployment({
      roles: ["api", "api", "worker", "worker"],
      settings: { CLOCK: "movable", LOG_LEVEL: "info" },
      databaseUrl: postgres.url("postgres"),
      balances: "connections",
      logFolder,
    }),
  );
  const { operator, processes } = deployment;
  const open = async (): Promise<ApplicationAccess> => {
    const application = await operator.createApplication();
    return { ...application, id: (await operator.clientId?.(application)) ?? "" };
  };
  const applications = { demo: await open(), other: await open() };
  await installProbes(deployment.database);
  // In order, so that they leave their compiled code to the many that start later.
  await Promise.all(processes.map((process) => process.stop()));
  const replicas = processes.map((process) => keepRunning(process, { known, journal, database }));
  starting.defer(async () => void (await Promise.all(replicas.map((replica) => replica.close()))));

  const allReady = (): Promise<void> =>
    eventually(() => {
      const late = replicas.find(({ isReady }) => !isReady());
      if (late !== undefined) throw new Error(`${late.name} does not become ready; see its log`);
    }, READY_MS);
  await allReady();
  const running = starting.move();
  return {
    ...{ deployment, applications, known, replicas, allReady },
    /** Stops PostgreSQL as `pg_ctl stop -m immediate` does, and starts it again. */
    stopDatabase: async (forMs: number) => {
      if (!database.isUp) return;
      Object.assign(database, { isUp: false, stops: database.stops + 1 });
      const pid = await postgres.crash(forMs);
      database.isUp = true;
      journal.write("process", { name: "database", ready: pid });
    },
    /** Whether an api and a worker are ready, and the database answers. */
    serves: async (): Promise<boolean> => {
      const isReady = (role: string) => replicas.some(({ isTarget, process }) => process.role === role && isTarget());
      if (!database.isUp || !isReady("api") || !isReady("worker")) return false;
      const answer = await fetch(`${deployment.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      await answer?.body?.cancel();
      return answer?.status === 200;
    },
    /**
     * Waits until no work remains: no queued or running job, no task, no grant without an owner, no settlement. Moves the
     * clock to the next due time. Returns the remaining work on a timeout, or null.
     */
    settle: async (patienceMs = PATIENCE_MS): Promise<string | null> => {
      const { clock } = deployment;
      const endMs = performance.now() + patienceMs;
      let sweptMs = Number.NEGATIVE_INFINITY;
      for (;;) {
        const { open, runnable, dueInMs } = await findUnsettled(deployment.database, await clock.now());
        if (open.length === 0) return null;
        if (performance.now() >= endMs) return open.join("; ");
        if (runnable === 0 && dueInMs !== null) {
          await clock.advance(Math.min(LONGEST_STEP_MS, Math.max(0, dueInMs) + 1_000));
          sweptMs = performance.now();
        } else if (performance.now() - sweptMs > SWEEP_EVERY_MS) {
          await clock.sweep();
          sweptMs = performance.now();
        }
        await delay(PAUSE_MS);
      }
    },
    stop: () => running.disposeAsync(),
  };
}
