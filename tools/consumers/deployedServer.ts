import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import { prepareDeployment } from "../../packages/testkit/src/harness/deployment.ts";
import { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { serve } from "../../packages/testkit/src/index.ts";
import { run } from "../packages/commands.ts";
import { linkAccount, untilRead } from "./linkAccount.ts";
import { commandIn, expectFailure, startCommand } from "./packedServer.ts";

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
  const shutdown = new Shutdown();
  /** The content types of the traces. A process sends the rest when it ends. */
  const types = new Set<string>();
  const collector = await serve((request, response) => {
    if (request.method === "POST" && request.url === "/v1/traces") types.add(request.headers["content-type"] ?? "");
    request.resume().once("end", () => response.end());
  });
  try {
    const dataFolder = join(folder, "deployment");
    await mkdir(dataFolder, { recursive: true });
    const command = commandIn(folder, program);
    const [node, ...parameters] = command;
    const { addresses, applications, environment, ports } = await prepareDeployment({
      dataFolder,
      shutdown,
      migrate: ({ DATABASE_URL }) => run(node, [...parameters, "migrate"], { folder, environment: { DATABASE_URL } }),
      serviceEnvironment: {
        MIGRATE: "off",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: "always_on",
      },
    });
    const protocols = { api: "http/protobuf", worker: "http/json" } as const;
    const processes = await Promise.all(
      (["api", "worker"] as const).map(async (role) => {
        const settings = { ...environment, OTEL_EXPORTER_OTLP_PROTOCOL: protocols[role] };
        const port = role === "api" ? { port: ports.server } : {};
        const service = await ServiceProcess.plan({ role, command, folder, environment: settings, ...port });
        shutdown.add(() => service.kill());
        await service.start();
        return service;
      }),
    );
    const consumer = { baseUrl: addresses.server, ...applications.demo };
    await linkAccount({ consumer });
    await untilRead(consumer);
    for (const { operations } of processes) {
      if (!/^social_connect_/m.test(await (await fetch(`${operations}/metrics`)).text())) throw new Error("no metrics");
    }
    for (const service of processes) await service.stop();
  } finally {
    await shutdown.run(console.error);
    await collector.close();
  }
  for (const type of ["application/x-protobuf", "application/json"]) {
    if (!types.has(type)) throw new Error(`no traces of type ${type} arrived`);
  }
}
