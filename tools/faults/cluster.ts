import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type LocalEncryptionKeys, localEncryptionKeys } from "../../apps/server/src/config/localEncryptionKey.ts";
import { type DevAddresses, planAddresses } from "../../apps/server/src/dev/addresses.ts";
import { type PlanInput, planOthers, planSimulator } from "../../apps/server/src/dev/childPlans.ts";
import { type DevSecrets, readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { SIMULATOR_OPTIONS } from "../../apps/server/src/dev/processes/simulatorOptions.ts";
import { seed } from "../../apps/server/src/dev/seed.ts";
import { MovableClock, SystemClock } from "../../apps/server/src/platform/clock.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/database.ts";
import {
  type ServiceDatabase,
  startServiceDatabase,
} from "../../apps/server/src/platform/embeddedDatabase/serviceDatabase.ts";
import { applyMigrations } from "../../apps/server/src/platform/migrations.ts";
import { reservePort, reservePorts } from "../../apps/server/src/platform/ports.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { makeTemporaryDataFolder } from "../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { prepareTaskQueues } from "../../apps/server/src/worker/boss.ts";
import { createTaskQueue, type SendingTaskQueue } from "../../apps/server/src/worker/taskQueue.ts";
import { type RunningSimulator, type SimulatorOptions, startSimulator } from "../../apps/simulator/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { balanceLoad } from "../loadBalancer.ts";
import { control } from "./control.ts";
import type { Facts } from "./facts.ts";
import type { Journal } from "./journal.ts";
import { REPLICAS, type ReplicaName } from "./plan.ts";
import { installProbes } from "./probes.ts";
import { Replica } from "./replica.ts";

/** No budget ends a run: what is tried are faults. */
const NO_LIMIT = 10_000_000;

export interface ClusterOptions {
  /** Where the processes' logs go. */
  readonly folder: string;
  readonly facts: Facts;
  readonly journal: Journal;
}

/** Two apis, two workers, PostgreSQL and the simulator, with one public address for both apis. All of it is loopback. */
export class Cluster {
  readonly addresses: DevAddresses;
  readonly secrets: DevSecrets;
  readonly keys: LocalEncryptionKeys;
  readonly replicas: ReadonlyMap<ReplicaName, Replica>;
  readonly database: Database;
  readonly clock: MovableClock;
  readonly queue: SendingTaskQueue;
  readonly #postgres: Postgres;
  readonly #shutdown: Shutdown;

  private constructor(parts: ClusterParts) {
    this.addresses = parts.plan.addresses;
    this.secrets = parts.plan.secrets;
    this.keys = parts.keys;
    this.replicas = parts.replicas;
    this.database = parts.database;
    this.clock = new MovableClock(parts.database.pool);
    this.queue = createTaskQueue(parts.database.pool, this.clock);
    this.#postgres = parts.postgres;
    this.#shutdown = parts.shutdown;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const shutdown = new Shutdown();
    try {
      const cluster = new Cluster(await startParts(options, shutdown));
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
    return this.#postgres.isUp;
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
    const answer = await fetch(`${this.addresses.server}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    );
    await answer?.body?.cancel();
    return answer?.status === 200;
  }

  /**
   * Moves the simulator's clock and the service's to the same time, and schedules due work immediately. The simulator's
   * moves first: a token issued between the two must not expire before the service expects it.
   */
  async advance(byMs: number): Promise<void> {
    const offsetMs = (await this.clock.now()).getTime() - (await this.clock.unmoved()).getTime();
    await control(this.addresses.simulator, "POST", "/clock", { offsetMs: Math.round(offsetMs + byMs) });
    await this.clock.advance(byMs);
    await this.queue.sweepSoon();
  }

  async stop(): Promise<void> {
    await this.#shutdown.run(console.error);
  }
}

interface ClusterParts {
  readonly plan: PlanInput;
  readonly keys: LocalEncryptionKeys;
  readonly replicas: ReadonlyMap<ReplicaName, Replica>;
  readonly database: Database;
  readonly postgres: Postgres;
  readonly shutdown: Shutdown;
}

async function startParts({ folder, facts, journal }: ClusterOptions, shutdown: Shutdown): Promise<ClusterParts> {
  const dataFolder = await makeTemporaryDataFolder();
  shutdown.add(() => dataFolder.remove());
  const ports = planPorts(await reservePorts(Object.keys(planPorts(1)).length));
  const plan: PlanInput = {
    ...{ ports, addresses: planAddresses(ports), dataFolder: dataFolder.path, panelFolder: null },
    ...{ secrets: await readDevSecrets(dataFolder.path), hasMovableClock: true, isVerbose: true },
  };
  const simulator = await startSimulatorOf(plan);
  shutdown.add(() => simulator.close());
  // Not the fast and forgetful settings of other tests: what is confirmed must be on disk.
  const postgres = await Postgres.start(dataFolder.path, ports.database, journal);
  shutdown.add(() => postgres.stop());
  const database = await prepare(postgres.url, plan, shutdown);
  const keys = await localEncryptionKeys(dataFolder.path);
  const replicas = new Map<ReplicaName, Replica>();
  shutdown.add(async () => void (await Promise.all([...replicas.values()].map((replica) => replica.close()))));
  const apiPorts = await Promise.all([reservePort(), reservePort()]);
  const balancer = await balanceLoad(apiPorts, {
    port: ports.server,
    isHealthy: (index) => replicas.get(REPLICAS[index] ?? "api-1")?.isReady === true,
  });
  shutdown.add(async () => balancer.close());
  // Processes start all the time: with their code compiled in advance in half the time.
  const NODE_COMPILE_CACHE = join(dataFolder.path, "compiled");
  await compileServer(NODE_COMPILE_CACHE);
  const plans = planOthers(plan, postgres.url, keys.text);
  const context = {
    ...{ folder, facts, journal },
    databaseStops: () => postgres.stops,
    isDatabaseUp: () => postgres.isUp,
  };
  for (const [index, name] of REPLICAS.entries()) {
    const role = name.startsWith("api") ? "api" : "worker";
    const environment = plans.find((candidate) => candidate.role === role)?.environment ?? {};
    const PORT = String(apiPorts[index] ?? ports.server);
    replicas.set(
      name,
      new Replica(
        name,
        { role, environment: { ...environment, PORT, LOG_LEVEL: "info", NODE_COMPILE_CACHE } },
        context,
      ),
    );
  }
  return { plan, keys, replicas, database, postgres, shutdown };
}

/** Loads the server's code once, in a process that ends and so leaves its compiled code in the folder. */
async function compileServer(folder: string): Promise<void> {
  const program = `await import(${JSON.stringify(new URL("../../apps/server/src/main.ts", import.meta.url).href)}); process.exit()`;
  const flags = [...process.execArgv, "--conditions=@social-connect/source", "--input-type=module"];
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  await promisify(execFile)(process.execPath, [...flags, "--eval", program], { env });
}

/** In this process: nothing is done to the simulator, and it has to outlive everything else. */
function startSimulatorOf(plan: PlanInput): Promise<RunningSimulator> {
  const planned = JSON.parse(planSimulator(plan).environment[SIMULATOR_OPTIONS] ?? "{}") as SimulatorOptions;
  const { stateFile: _, ...options } = planned;
  return startSimulator({
    ...options,
    limits: { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT },
  });
}

async function prepare(url: string, plan: PlanInput, shutdown: Shutdown): Promise<Database> {
  await applyMigrations(url);
  const database = openDatabase({ url, poolSize: 6, applicationName: "fault test", statementTimeoutMs: 60_000 });
  shutdown.add(() => database.close());
  await prepareTaskQueues(database.pool);
  const [keys, now] = await Promise.all([localEncryptionKeys(plan.dataFolder), new SystemClock(database.pool).now()]);
  await seed(database, { ...plan, secretBox: createSecretBox(keys.keys), now });
  for (const provider of SOCIAL_PROVIDERS) {
    await database.prisma.providerRegistration.updateMany({
      where: { provider },
      data: { quota: { units: NO_LIMIT } },
    });
  }
  await installProbes(database.pool);
  return database;
}

/** The embedded PostgreSQL, which can be stopped immediately. */
class Postgres {
  readonly #dataFolder: string;
  readonly #port: number;
  readonly #journal: Journal;
  #current: ServiceDatabase;
  stops = 0;
  isUp = true;

  private constructor(dataFolder: string, port: number, journal: Journal, current: ServiceDatabase) {
    this.#dataFolder = dataFolder;
    this.#port = port;
    this.#journal = journal;
    this.#current = current;
  }

  static async start(dataFolder: string, port: number, journal: Journal): Promise<Postgres> {
    return new Postgres(dataFolder, port, journal, await startServiceDatabase(dataFolder, port));
  }

  get url(): string {
    return this.#current.url;
  }

  async crash(forMs: number): Promise<void> {
    if (!this.isUp) return;
    this.isUp = false;
    this.stops += 1;
    // The signal of an immediate shutdown: no word to any client, and recovery at the next start.
    process.kill(this.#current.pid, "SIGQUIT");
    await new Promise((resolve) => setTimeout(resolve, forMs));
    this.#current = await startServiceDatabase(this.#dataFolder, this.#port);
    this.isUp = true;
    this.#journal.write("process", { name: "database", ready: this.#current.pid });
  }

  async stop(): Promise<void> {
    await this.#current.stop();
  }
}
