import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { cleanEnvironment } from "../packages/commands.ts";

const COMMAND = ["node_modules", "@social-connect", "server", "dist", "cli.js"];
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
/** The number of consecutive ports that a development environment may use. */
const PORTS_OF_DEV = 9;
const PAUSE_MS = 100;

/** The part of `dev.json` that the documentation uses. */
export interface DevFile {
  readonly consumer: {
    readonly baseUrl: string;
    readonly key: string;
    readonly tenantKeys: readonly [string, ...string[]];
    readonly returnUrl: string;
  };
  readonly admin: {
    readonly host: string;
    readonly panelUrl: string;
    readonly readKey: string;
    readonly writeKey: string;
  };
  readonly exampleUrl: string;
}

/**
 * Starts the service from its package with the embedded database, checks readiness, status and panel, and shuts it
 * down.
 */
export async function proveServer(folder: string, program: string): Promise<void> {
  const [port = 0, databasePort = 0] = await freePorts(2);
  const environment = { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort), LOG_LEVEL: "warn" };
  const service = startCommand(folder, program, ["start"], environment);
  try {
    const url = `http://127.0.0.1:${port}`;
    await service.until(async () => (await fetch(`${url}/readyz`)).ok);
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ status { ok } }" }),
    });
    const { data } = (await response.json()) as { readonly data?: { readonly status?: { readonly ok?: boolean } } };
    if (data?.status?.ok !== true) throw new Error("the packed service does not say that it is up");
    const panel = await fetch(`${url}/panel`);
    if (!panel.ok || !(await panel.text()).includes("<script")) throw new Error("the packed service has no panel");
  } finally {
    await service.stop();
  }
}

/** A Node that is too old is refused with the required version, before anything fails to load. */
export async function proveRefusal(folder: string, program: string): Promise<void> {
  const service = startCommand(folder, program, ["start"], {});
  const failure = await service.until(async () => false).catch((error: Error) => error.message);
  if (!/ended with code 1\nsocial-connect: this is Node [\d.]+, and the service needs Node \d/.test(failure ?? "")) {
    throw new Error(`an old Node is not refused with the required version: ${failure}`);
  }
}

/** `dev` of the packed service, in its own folder, with `dev.json` at the documented place. */
export async function startPackedDev(
  folder: string,
  program: string,
): Promise<{ readonly dev: DevFile; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(PORTS_OF_DEV);
  const command = startCommand(folder, program, ["dev", "--port", String(port)], { DATABASE_URL: undefined });
  const file = join(folder, ".social-connect", "dev.json");
  try {
    await command.until(() =>
      access(file).then(
        () => true,
        () => false,
      ),
    );
    return { dev: JSON.parse(await readFile(file, "utf8")) as DevFile, stop: command.stop };
  } catch (error) {
    await command.stop();
    throw error;
  }
}

function startCommand(
  folder: string,
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
) {
  const child = spawn(program, [join(folder, ...COMMAND), ...parameters], {
    cwd: folder,
    env: cleanEnvironment(environment),
    // By the end of the channel it notices when this program is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
  }
  const failed = (why: string) => new Error(`social-connect ${parameters.join(" ")} ${why}\n${output.trim()}`);
  return {
    /** Retries until the check succeeds, the program exits, or the timeout passes. */
    until: async (isSo: () => Promise<boolean>): Promise<void> => {
      const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
      while (!deadline.aborted) {
        if (child.exitCode !== null) throw failed(`ended with code ${child.exitCode}`);
        if (await isSo().catch(() => false)) return;
        await setTimeout(PAUSE_MS);
      }
      throw failed("is not ready in time");
    },
    /** Throws when it does not end in order. */
    stop: async (): Promise<void> => {
      const code = await end(child);
      if (code !== 0) throw failed(`did not end in order (${code})`);
    },
  };
}

async function end(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await Promise.race([ended, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
    await ended;
  }
  return child.exitCode ?? child.signalCode;
}

/** Some ports in a row that are all free. */
async function freePorts(count: number): Promise<readonly number[]> {
  for (let tries = 0; tries < 50; tries++) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return ports;
  }
  throw new Error(`no ${count} free ports in a row were found`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isListening;
}
