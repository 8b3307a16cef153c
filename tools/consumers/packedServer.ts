import { access, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DevFile } from "../../packages/testkit/src/harness/devFile.ts";
import { DEV_PORTS } from "../../packages/testkit/src/harness/devPlace.ts";
import { planProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { type Command, startProgram } from "../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort, reservePorts, serve } from "../../packages/testkit/src/index.ts";
import { startDeployment } from "../../system-tests/deployment/deployment.ts";
import { applicationOf, linkAndRead } from "../linkAccount.ts";
import { type CommandError, run } from "../packages/commands.ts";

const COMMAND = ["node_modules", "@social-connect", "server", "dist", "cli.js"];
const DATA = ".social-connect";
const REFUSAL_TIMEOUT_MS = 60_000;

/**
 * Starts the service from its package with the embedded database, waits until it is ready, opens the panel, and shuts it
 * down.
 */
export async function proveServer(folder: string, program: string): Promise<void> {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  const environment = { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort), LOG_LEVEL: "warn" };
  const command = [...commandIn(folder, program), "start"] as const;
  await using service = startProgram({ name: "social-connect start", command, folder, environment });
  const url = `http://127.0.0.1:${port}`;
  await service.until(async () => (await fetch(`${url}/readyz`)).ok);
  const panel = await fetch(`${url}/panel`);
  if (!panel.ok || !(await panel.text()).includes("<script")) throw new Error("the packed service has no panel");
}

export const TOO_OLD = /^social-connect: this is Node [\d.]+, and the service needs Node \d.*$/;
/** Without the embedded database, the remedies. */
export const NO_DATABASE =
  /^social-connect: the embedded database is not installed .*install without --omit=optional, or set DATABASE_URL .*$/;

/** `start` and `dev` end with code 1 and with this one message, before anything fails to load. */
export async function proveRefusal(folder: string, program: string, message: RegExp): Promise<void> {
  const [node, ...parameters] = commandIn(folder, program);
  for (const command of ["start", "dev"]) {
    const options = { folder, environment: { DATABASE_URL: undefined }, timeoutMs: REFUSAL_TIMEOUT_MS };
    const said = await run(node, [...parameters, command], options).catch((error: CommandError) => error.message);
    const [, shown = ""] = said.split(" ended with 1\n");
    if (!message.test(shown)) throw new Error(`not refused with ${message}: ${said}`);
  }
}

/** `dev` in an empty folder, in which it leaves only its data. The templates start it by npx. */
export async function startDev(folder: string, command: Command) {
  await mkdir(folder);
  const program = startProgram({
    name: "social-connect dev",
    command: [...command, "dev", "--port", String(await reservePorts(DEV_PORTS))],
    folder,
    environment: { DATABASE_URL: undefined },
    isInTerminal: true,
  });
  const file = join(folder, DATA, "dev.json");
  const stop = async () => {
    await program.stop();
    const [data, beside] = [await readdir(join(folder, DATA)), await readdir(folder)];
    const left = [
      ...data.filter((name) => /^(?:dev\.json|lock)$/.test(name)),
      ...beside.filter((name) => name !== DATA),
    ];
    if (left.length > 0) throw new Error(`\`dev\` did not end in order: it left ${left.join(", ")}`);
  };
  try {
    await program.until(() => access(file).then(() => true));
    return { dev: JSON.parse(await readFile(file, "utf8")) as DevFile, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

/** `social-connect` of the package that is installed in a folder, for one Node. */
export function commandIn(folder: string, program: string): Command {
  return [program, join(folder, ...COMMAND)];
}

/**
 * The api and a worker of an installation without optional packages, with their own PostgreSQL: migrates, links an account at
 * the simulator, waits until the worker has read its posts, and ends both processes. Metrics are served and traces sent.
 */
export async function proveDeployment(folder: string, program: string): Promise<void> {
  /** The content types of the traces. A process sends the rest when it ends. */
  const types = new Set<string>();
  await using collector = await serve((request, response) => {
    if (request.method === "POST" && request.url === "/v1/traces") types.add(request.headers["content-type"] ?? "");
    request.resume().once("end", () => response.end());
  });
  {
    const command = commandIn(folder, program);
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_TRACES_SAMPLER: "always_on",
    };
    await using deployment = await startDeployment({ roles: ["api"], command, settings });
    const environment = { ...deployment.environment, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    await using worker = await planProcess({ role: "worker", command, folder, environment });
    await worker.start();
    const consumer = await deployment.operator.createApplication();
    await deployment.operator.addTesters?.(consumer, await deployment.provider.testers());
    await linkAndRead(applicationOf(consumer));
    for (const { operations } of [deployment.api, worker]) {
      if (!/^social_connect_/m.test(await (await fetch(`${operations}/metrics`)).text())) throw new Error("no metrics");
    }
  }
  for (const type of ["application/x-protobuf", "application/json"]) {
    if (!types.has(type)) throw new Error(`no traces of type ${type} arrived`);
  }
}
