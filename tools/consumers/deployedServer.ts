import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { localEncryptionKeys } from "../../apps/server/src/config/localEncryptionKey.ts";
import { planAddresses } from "../../apps/server/src/dev/addresses.ts";
import { type PlanInput, planOthers, planSimulator } from "../../apps/server/src/dev/childPlans.ts";
import { readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { SIMULATOR_OPTIONS } from "../../apps/server/src/dev/processes/simulatorOptions.ts";
import { seed } from "../../apps/server/src/dev/seed.ts";
import { DEMO_APPLICATION } from "../../apps/server/src/dev/seedData.ts";
import { SystemClock } from "../../apps/server/src/platform/clock.ts";
import { openDatabase } from "../../apps/server/src/platform/database.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import { startSimulator } from "../../apps/simulator/src/startSimulator.ts";
import { applicationKeyText } from "../../packages/domain/src/index.ts";
import { run } from "../packages/commands.ts";
import { withTemporaryDatabase } from "../temporaryDatabase.ts";
import { linkAccount, untilRead } from "./linkAccount.ts";
import { expectFailure, startCommand } from "./packedServer.ts";
import { freePorts, type StartedProgram } from "./startedProgram.ts";

const PORTS_OF_SIMULATOR = 9;
const ROLES = ["api", "worker"] as const;

/** Without the embedded database, a start without DATABASE_URL is one message with the remedies. */
export async function proveMissingDatabase(folder: string, program: string): Promise<void> {
  const missing =
    /^social-connect: the embedded database is not installed .*install without --omit=optional, or set DATABASE_URL .*$/;
  for (const command of ["start", "dev"]) {
    const environment = { DATABASE_URL: undefined };
    await expectFailure(startCommand(folder, program, [command], environment), missing);
  }
}

/**
 * The api and a worker of an installation without optional packages, with their own PostgreSQL: migrates, links an account at
 * the simulator, waits until the worker has read its posts, and ends both processes. Metrics are served and traces sent.
 */
export async function proveDeployment(folder: string, program: string): Promise<void> {
  await withTemporaryDatabase(async (postgres) => {
    const databaseUrl = postgres.url("postgres");
    const plan = await planDeployment(folder);
    const { addresses, secrets, dataFolder } = plan;
    await run(program, [join(folder, "node_modules/@social-connect/server/dist/cli.js"), "migrate"], {
      folder,
      environment: { DATABASE_URL: databaseUrl },
    });
    const keys = await localEncryptionKeys(dataFolder);
    const database = openDatabase({ url: databaseUrl, poolSize: 1 });
    const now = await new SystemClock(database.pool).now();
    await seed(database, { addresses, secrets, secretBox: createSecretBox(keys.keys), now });
    await database.close();

    const collector = await startCollector();
    const simulator = await startSimulator(JSON.parse(planSimulator(plan).environment[SIMULATOR_OPTIONS] ?? ""));
    const started: StartedProgram[] = [];
    try {
      const settings = planOthers(plan, databaseUrl, keys.text)[0]?.environment;
      const metrics = await freePorts(ROLES.length);
      for (const [index, role] of ROLES.entries()) {
        const environment = {
          ...settings,
          MIGRATE: "off",
          METRICS_PORT: String(metrics[index]),
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: role === "api" ? "http/protobuf" : "http/json",
          OTEL_TRACES_SAMPLER: "always_on",
        };
        started.push(startCommand(folder, program, ["start", "--role", role], environment));
      }
      const at = (index: number, path: string) => fetch(`http://127.0.0.1:${metrics[index]}${path}`);
      for (const [index, service] of started.entries())
        await service.until(async () => (await at(index, "/readyz")).ok);
      const consumer = {
        baseUrl: addresses.server,
        key: applicationKeyText(secrets.applicationKey),
        tenantKeys: DEMO_APPLICATION.tenantKeys,
        returnUrl: addresses.example + DEMO_APPLICATION.returnPath,
      };
      await linkAccount({ consumer });
      await untilRead(consumer);
      for (const index of ROLES.keys()) {
        if (!/^social_connect_/m.test(await (await at(index, "/metrics")).text())) throw new Error("no metrics");
      }
      for (const service of started) await service.stop();
    } finally {
      await Promise.allSettled(started.map((service) => service.stop()));
      await simulator.close();
      await collector.close();
    }
    for (const type of ["application/x-protobuf", "application/json"]) {
      if (!collector.types.has(type)) throw new Error(`no traces of type ${type} arrived`);
    }
  });
}

async function planDeployment(folder: string): Promise<PlanInput> {
  const [first = 0] = await freePorts(PORTS_OF_SIMULATOR);
  const ports = planPorts(first);
  const dataFolder = join(folder, "deployment");
  await mkdir(dataFolder, { recursive: true });
  const secrets = await readDevSecrets(dataFolder);
  const addresses = planAddresses(ports);
  return { ports, addresses, secrets, dataFolder, panelFolder: null, hasMovableClock: false, isVerbose: false };
}

/** Takes traces over OTLP/HTTP and keeps their content types. A process sends the rest when it ends. */
async function startCollector() {
  const types = new Set<string>();
  const server = createServer((request: IncomingMessage, response) => {
    if (request.method === "POST" && request.url === "/v1/traces") types.add(request.headers["content-type"] ?? "");
    request.resume().once("end", () => response.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    types,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
