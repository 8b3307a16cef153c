import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { MovableClock } from "../../apps/server/src/platform/clock.ts";
import { startServiceDatabase } from "../../apps/server/src/platform/embeddedDatabase/serviceDatabase.ts";
import { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { makeTemporaryDataFolder } from "../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { createTaskQueue, type SendingTaskQueue } from "../../apps/server/src/worker/taskQueue.ts";
import { type Deployment, prepareDeployment } from "../../packages/testkit/src/harness/deployment.ts";
import { balanceLoad } from "../../packages/testkit/src/harness/loadBalancer.ts";
import { SOURCE_FLAGS } from "../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { control } from "../../packages/testkit/src/simulatorControl.ts";
import type { Facts } from "./facts.ts";
import type { Journal } from "./journal.ts";
import { REPLICAS, type ReplicaName } from "./plan.ts";
import { installProbes } from "./probes.ts";
import { Replica } from "./replica.ts";

export interface ClusterOptions {
  /** Where the processes' logs go. */
  readonly folder: string;
  readonly facts: Facts;
  readonly journal: Journal;
}

/** Two apis, two workers, PostgreSQL and the simulator, with one public address for both apis. All of it is loopback. */
export class Cluster {
  readonly deployment: Deployment;
  readonly facts: Facts;
  readonly replicas: ReadonlyMap<ReplicaName, Replica>;
  readonly clock: MovableClock;
  readonly queue: SendingTaskQueue;
  readonly #postgres: Postgres;
  readonly #shutdown: Shutdown;

  private constructor(facts: Facts, { deployment, replicas, postgres }: ClusterParts, shutdown: Shutdown) {
    this.deployment = deployment;
    this.facts = facts;
    this.replicas = replicas;
    this.clock = new MovableClock(deployment.database.pool);
    this.queue = createTaskQueue(deployment.database.pool, this.clock);
    this.#postgres = postgres;
    this.#shutdown = shutdown;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const shutdown = new Shutdown();
    try {
      const cluster = new Cluster(options.facts, await startParts(options, shutdown), shutdown);
      await cluster.allReady();
      return cluster;
    } catch (error) {
      await shutdown.run(console.error);
      throw error;
    }
  }

  /** Stops PostgreSQL as `pg_ctl stop -m immediate` does, and starts it again. */
  async stopDatabase(forMs: number): Promise<void> {
    await this.#postgres.crash(forMs);
  }

  get isDatabaseUp(): boolean {
    return this.#postgres.isUp();
  }

  async allReady(signal?: AbortSignal): Promise<void> {
    const endMs = performance.now() + 180_000;
    for (const replica of this.replicas.values()) {
      while (!replica.isReady) {
        signal?.throwIfAborted();
        if (performance.now() > endMs) throw new Error(`${replica.name} does not become ready; see its log`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Whether an api and a worker are ready, and the database answers. */
  async serves(): Promise<boolean> {
    const isReady = (role: string) =>
      [...this.replicas.values()].some((replica) => replica.name.startsWith(role) && replica.isTarget);
    if (!this.isDatabaseUp || !isReady("api") || !isReady("worker")) return false;
    const answer = await fetch(`${this.deployment.addresses.server}/readyz`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status === 200;
  }

  /**
   * Moves the simulator's clock and the service's to the same time, and schedules due work immediately. The simulator's
   * moves first: a token issued between the two must not expire before the service expects it.
   */
  async advance(byMs: number): Promise<void> {
    const offsetMs = (await this.clock.now()).getTime() - (await this.clock.unmoved()).getTime();
    await control(this.deployment.addresses.simulator, "POST", "/clock", { offsetMs: Math.round(offsetMs + byMs) });
    await this.clock.advance(byMs);
    await this.queue.sweepSoon();
  }

  async stop(): Promise<void> {
    await this.#shutdown.run(console.error);
  }
}

type ClusterParts = Awaited<ReturnType<typeof startParts>>;

async function startParts({ folder, facts, journal }: ClusterOptions, shutdown: Shutdown) {
  const dataFolder = await makeTemporaryDataFolder();
  shutdown.add(() => dataFolder.remove());
  let running: Postgres | undefined;
  // Not the fast and forgetful settings of other tests: what is confirmed must be on disk.
  const startDatabase = async ({ database }: { readonly database: number }) => {
    const postgres = await startPostgres(dataFolder.path, database, journal);
    shutdown.add(() => postgres.stop());
    running = postgres;
    return postgres.url;
  };
  // Processes start all the time: with their code compiled in advance in half the time.
  const compiled = process.env["NODE_COMPILE_CACHE"];
  const NODE_COMPILE_CACHE = compiled ?? join(dataFolder.path, "compiled");
  const deployment = await prepareDeployment({
    dataFolder: dataFolder.path,
    shutdown,
    startDatabase,
    hasMovableClock: true,
    serviceEnvironment: { LOG_LEVEL: "info", NODE_COMPILE_CACHE },
  });
  const postgres = running as Postgres;
  await installProbes(deployment.database.pool);
  const replicas = new Map<ReplicaName, Replica>();
  shutdown.add(async () => void (await Promise.all([...replicas.values()].map((replica) => replica.close()))));
  const apiPorts = await Promise.all([reservePort(), reservePort()]);
  const balancer = await balanceLoad(apiPorts, {
    port: deployment.ports.server,
    isHealthy: (index) => replicas.get(REPLICAS[index] ?? "api-1")?.isReady === true,
  });
  shutdown.add(async () => balancer.close());
  if (compiled === undefined) await compileServer(NODE_COMPILE_CACHE);
  const context = {
    ...{ folder, facts, journal },
    databaseStops: () => postgres.stops(),
    isDatabaseUp: () => postgres.isUp(),
  };
  for (const [index, name] of REPLICAS.entries()) {
    const role = name.startsWith("api") ? "api" : "worker";
    const environment = { ...deployment.environment, PORT: String(apiPorts[index] ?? deployment.ports.server) };
    replicas.set(name, new Replica(name, { role, environment }, context));
  }
  return { deployment, replicas, postgres };
}

/** Loads the server's code once, in a process that ends and so leaves its compiled code in the folder. */
async function compileServer(folder: string): Promise<void> {
  const program = `await import(${JSON.stringify(new URL("../../apps/server/src/main.ts", import.meta.url).href)}); process.exit()`;
  const flags = [...process.execArgv, ...SOURCE_FLAGS, "--input-type=module"];
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  await promisify(execFile)(process.execPath, [...flags, "--eval", program], { env });
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** The embedded PostgreSQL, which can be stopped immediately. */
async function startPostgres(dataFolder: string, port: number, journal: Journal) {
  let current = await startServiceDatabase(dataFolder, port);
  let stops = 0;
  let isUp = true;
  return {
    url: current.url,
    stops: () => stops,
    isUp: () => isUp,
    crash: async (forMs: number) => {
      if (!isUp) return;
      isUp = false;
      stops += 1;
      // The signal of an immediate shutdown: no word to any client, and recovery at the next start.
      process.kill(current.pid, "SIGQUIT");
      await new Promise((resolve) => setTimeout(resolve, forMs));
      current = await startServiceDatabase(dataFolder, port);
      isUp = true;
      journal.write("process", { name: "database", ready: current.pid });
    },
    stop: () => current.stop(),
  };
}
