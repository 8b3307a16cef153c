import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startCollector } from "../../apps/server/src/observability/testing/collector.ts";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { prepareDeployment } from "../../packages/testkit/src/harness/deployment.ts";
import { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import type { Command } from "../../packages/testkit/src/harness/startedProgram.ts";
import { installProbes } from "../faults/probes.ts";
import { run } from "../packages/commands.ts";
import { startHttpProxy } from "./httpProxy.ts";

const APIS = 2;
const HEALTH_CHECK_MS = 200;
/** As `failureThreshold` in deploy/kubernetes: one late answer of a busy machine does not take an api out of use. */
const FAILED_CHECKS = 2;

export type RunningDeployment = Awaited<ReturnType<typeof startDeployment>>;

/**
 * Two apis behind a proxy, workers, PostgreSQL, the simulator and a collector of traces, all on loopback. The proxy sends
 * requests to apis that are ready, as a load balancer with a health check does.
 */
export async function startDeployment(
  /** `social-connect`. */
  command: Command,
  folder: string,
  shutdown: Shutdown,
  workers = 3,
) {
  const collector = await startCollector();
  shutdown.add(() => collector.close());
  const dataFolder = join(folder, "data");
  await mkdir(dataFolder, { mode: 0o700 });
  const [program, ...parameters] = command;
  const deployment = await prepareDeployment({
    dataFolder,
    shutdown,
    migrate: (environment) => run(program, [...parameters, "migrate"], { folder, environment }),
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
  });
  await installProbes(deployment.database.pool);
  const processes = await startProcesses(command, deployment.environment, workers, shutdown);
  const apis = processes.filter(({ role }) => role === "api");
  const isHealthy = watchHealth(apis, shutdown);
  const apiPorts = apis.map(({ port }) => port);
  const proxy = await startHttpProxy(deployment.ports.server, apiPorts, isHealthy);
  shutdown.add(async () => proxy.close());
  return { ...deployment, collector, processes, proxy };
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
  command: Command,
  environment: Readonly<Record<string, string>>,
  workers: number,
  shutdown: Shutdown,
): Promise<ServiceProcess[]> {
  const roles = [...Array<"api">(APIS).fill("api"), ...Array<"worker">(workers).fill("worker")];
  const processes = await Promise.all(
    roles.map((role, index) => {
      const name = `${role}-${role === "api" ? index + 1 : index + 1 - APIS}`;
      return ServiceProcess.plan({ name, role, command, environment });
    }),
  );
  shutdown.add(async () => void (await Promise.all(processes.map((each) => each.kill()))));
  await Promise.all(processes.map((each) => each.start()));
  return processes;
}
