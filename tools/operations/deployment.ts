import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { prepareDeployment } from "../../packages/testkit/src/harness/deployment.ts";
import { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { installProbes } from "../faults/probes.ts";
import { startHttpProxy } from "./httpProxy.ts";

const PROCESSES = ["api-1", "api-2", "worker-1", "worker-2"];
const HEALTH_CHECK_MS = 200;
/** As `failureThreshold` in deploy/kubernetes: one late answer of a busy machine does not take an api out of use. */
const FAILED_CHECKS = 2;

export type RunningDeployment = Awaited<ReturnType<typeof startDeployment>>;

/**
 * Two apis behind a proxy, two workers, PostgreSQL and the simulator, all on loopback. The proxy sends requests to apis that are
 * ready, as a load balancer with a health check does.
 */
export async function startDeployment(folder: string, shutdown: Shutdown) {
  const dataFolder = join(folder, "data");
  await mkdir(dataFolder, { mode: 0o700 });
  const deployment = await prepareDeployment({
    dataFolder,
    shutdown,
    // The defaults, which a development environment shortens.
    serviceEnvironment: { DRAIN_SECONDS: "3", SHUTDOWN_TIMEOUT_SECONDS: "20", MIGRATE: "off", LOG_LEVEL: "info" },
  });
  await installProbes(deployment.database.pool);
  const processes = await Promise.all(
    PROCESSES.map((name) => {
      const role = name.startsWith("api") ? "api" : "worker";
      return ServiceProcess.plan({ name, role, environment: deployment.environment });
    }),
  );
  shutdown.add(async () => void (await Promise.all(processes.map((each) => each.kill()))));
  await Promise.all(processes.map((each) => each.start()));
  const apis = processes.filter(({ role }) => role === "api");
  const isHealthy = watchHealth(apis, shutdown);
  const apiPorts = apis.map(({ port }) => port);
  const close = await startHttpProxy(deployment.ports.server, apiPorts, isHealthy);
  shutdown.add(async () => close());
  return { ...deployment, processes };
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
