import { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { serve } from "../../packages/testkit/src/index.ts";
import { startDeployment } from "../../system-tests/deployment/deployment.ts";
import { applicationOf, linkAndRead } from "../linkAccount.ts";
import { commandIn } from "./packedServer.ts";

/**
 * The api and a worker of an installation without optional packages, with their own PostgreSQL: migrates, links an account at
 * the simulator, waits until the worker has read its posts, and ends both processes. Metrics are served and traces sent.
 */
export async function proveDeployment(folder: string, program: string): Promise<void> {
  /** The content types of the traces. A process sends the rest when it ends. */
  const types = new Set<string>();
  const collector = await serve((request, response) => {
    if (request.method === "POST" && request.url === "/v1/traces") types.add(request.headers["content-type"] ?? "");
    request.resume().once("end", () => response.end());
  });
  try {
    const command = commandIn(folder, program);
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_TRACES_SAMPLER: "always_on",
    };
    await using deployment = await startDeployment({ roles: ["api"], command, settings });
    const environment = { ...deployment.environment, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    const worker = await ServiceProcess.plan({ role: "worker", command, folder, environment });
    await using _ = { [Symbol.asyncDispose]: async () => void (await worker.stop()) };
    await worker.start();
    const consumer = await deployment.operator.createApplication();
    await deployment.operator.addTesters?.(consumer, await deployment.provider.testers());
    await linkAndRead(applicationOf(consumer));
    for (const { operations } of [deployment.api, worker]) {
      if (!/^social_connect_/m.test(await (await fetch(`${operations}/metrics`)).text())) throw new Error("no metrics");
    }
  } finally {
    await collector.close();
  }
  for (const type of ["application/x-protobuf", "application/json"]) {
    if (!types.has(type)) throw new Error(`no traces of type ${type} arrived`);
  }
}
