import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { localEncryptionKeys } from "../../apps/server/src/config/localEncryptionKey.ts";
import { planAddresses } from "../../apps/server/src/dev/addresses.ts";
import { type PlanInput, planOthers, planSimulator } from "../../apps/server/src/dev/childPlans.ts";
import { type DevSecrets, readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { SIMULATOR_OPTIONS } from "../../apps/server/src/dev/processes/simulatorOptions.ts";
import { seed } from "../../apps/server/src/dev/seed.ts";
import { DEMO_APPLICATION, OTHER_APPLICATION } from "../../apps/server/src/dev/seedData.ts";
import { startCollector } from "../../apps/server/src/observability/testing/collector.ts";
import { SystemClock } from "../../apps/server/src/platform/clock.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/database.ts";
import { reservePort, reservePorts } from "../../apps/server/src/platform/ports.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { startTemporaryDatabase } from "../../apps/server/src/platform/testing/temporaryDatabase.ts";
import { type SimulatorOptions, startSimulator } from "../../apps/simulator/src/index.ts";
import { applicationKeyText, providerSlug } from "../../packages/domain/src/index.ts";
import { control, type SimulatedAccount } from "../faults/control.ts";
import { installProbes } from "../faults/probes.ts";
import { run } from "../packages/commands.ts";
import { startHttpProxy } from "./httpProxy.ts";
import type { Account, ApplicationAccess } from "./load.ts";
import { ServiceProcess } from "./serviceProcess.ts";

const APIS = 2;
const HEALTH_CHECK_MS = 200;
/** As `failureThreshold` in deploy/kubernetes: one late answer of a busy machine does not take an api out of use. */
const FAILED_CHECKS = 2;
/** No budget of a provider is used up. */
const NO_LIMIT = 10_000_000;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/**
 * Two apis behind a proxy, workers, PostgreSQL, the simulator and a collector of traces, all on loopback. The proxy sends
 * requests to apis that are ready, as a load balancer with a health check does.
 */
export async function startDeployment(
  /** The command `social-connect`. */
  command: string,
  folder: string,
  shutdown: Shutdown,
  workers = 3,
) {
  const postgres = await startTemporaryDatabase();
  shutdown.add(() => postgres.stop());
  const url = postgres.url("postgres");
  const collector = await startCollector();
  shutdown.add(() => collector.close());
  const ports = planPorts(await reservePorts(Object.keys(planPorts(1)).length));
  const dataFolder = join(folder, "data");
  await mkdir(dataFolder, { mode: 0o700 });
  const plan: PlanInput = {
    ...{
      ports,
      addresses: planAddresses(ports),
      dataFolder,
      panelFolder: null,
      hasMovableClock: false,
      isVerbose: true,
    },
    secrets: await readDevSecrets(dataFolder),
    serviceEnvironment: {
      // The defaults, which a development environment shortens.
      DRAIN_SECONDS: "3",
      SHUTDOWN_TIMEOUT_SECONDS: "20",
      MIGRATE: "off",
      LOG_LEVEL: "info",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_TRACES_SAMPLER: "always_on",
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
  };
  const { addresses, secrets } = plan;
  const { stateFile: _, ...options } = JSON.parse(
    planSimulator(plan).environment[SIMULATOR_OPTIONS] ?? "{}",
  ) as SimulatorOptions;
  const limits = { unitsPerDay: NO_LIMIT, callsPerMinute: NO_LIMIT, callsPerHour: NO_LIMIT };
  const simulator = await startSimulator({ ...options, limits });
  shutdown.add(() => simulator.close());

  const keys = await localEncryptionKeys(dataFolder);
  const environment = planOthers(plan, url, keys.text)[0]?.environment ?? {};
  await run(command, ["migrate"], { folder, environment });
  const database = openDatabase({ url, poolSize: 4, applicationName: "operations check", statementTimeoutMs: 60_000 });
  shutdown.add(() => database.close());
  const now = await new SystemClock(database.pool).now();
  await seed(database, { addresses, secrets, secretBox: createSecretBox(keys.keys), now });
  await database.pool.query("UPDATE provider_registration SET quota = $1", [{ units: NO_LIMIT }]);
  await installProbes(database.pool);

  const processes = await startProcesses(command, environment, workers, shutdown);
  const apis = processes.filter(({ role }) => role === "api");
  const isHealthy = watchHealth(apis, shutdown);
  const apiPorts = apis.map(({ port }) => port);
  const proxy = await startHttpProxy(ports.server, apiPorts, isHealthy);
  shutdown.add(async () => proxy.close());
  const accessOf = (
    data: typeof DEMO_APPLICATION | typeof OTHER_APPLICATION,
    origin: string,
    key: DevSecrets["applicationKey"],
  ): ApplicationAccess => ({
    key: applicationKeyText(key),
    tenantKey: data.tenantKeys[0],
    origin,
    returnUrl: origin + data.returnPath,
  });
  const applications = {
    demo: accessOf(DEMO_APPLICATION, addresses.example, secrets.applicationKey),
    other: accessOf(OTHER_APPLICATION, addresses.otherApplication, secrets.otherApplicationKey),
  };
  const openAccount = (account: Account) => openAccountAt(addresses.simulator, database, account);
  return { addresses, applications, collector, database, openAccount, processes, proxy, url };
}

/** An api is checked again after its last check has ended, so that a late answer cannot replace a newer one. */
function watchHealth(apis: readonly ServiceProcess[], shutdown: Shutdown): (index: number) => boolean {
  const failures = apis.map(() => 0);
  let isStopped = false;
  const watch = async (api: ServiceProcess, index: number) => {
    while (!isStopped) {
      failures[index] = (await api.isReady()) ? 0 : (failures[index] ?? 0) + 1;
      await setTimeout(HEALTH_CHECK_MS);
    }
  };
  const watching = Promise.all(apis.map(watch));
  shutdown.add(async () => {
    isStopped = true;
    await watching;
  });
  return (index) => (failures[index] ?? 0) < FAILED_CHECKS;
}

async function startProcesses(
  command: string,
  environment: Readonly<Record<string, string>>,
  workers: number,
  shutdown: Shutdown,
): Promise<ServiceProcess[]> {
  const roles = [...Array<"api">(APIS).fill("api"), ...Array<"worker">(workers).fill("worker")];
  const processes = await Promise.all(
    roles.map(async (role, index) => {
      const name = `${role}-${role === "api" ? index + 1 : index + 1 - APIS}`;
      const [port, metricsPort] = [await reservePort(), await reservePort()];
      return new ServiceProcess({ name, role, command, environment, port, metricsPort });
    }),
  );
  shutdown.add(async () => void (await Promise.all(processes.map((each) => each.kill()))));
  await Promise.all(processes.map((each) => each.start()));
  return processes;
}

/** Opens an account at the simulator, and puts it on the applications' lists of testers. */
async function openAccountAt(simulatorUrl: string, { pool }: Database, { provider, name }: Account): Promise<void> {
  const { accountId } = await control<SimulatedAccount>(simulatorUrl, "POST", "/accounts", {
    provider: providerSlug(provider),
    name,
  });
  await pool.query(
    `INSERT INTO tester (application_id, provider, provider_account_id)
     SELECT id, $1::social_provider, $2 FROM application ON CONFLICT DO NOTHING`,
    [provider, accountId],
  );
}
