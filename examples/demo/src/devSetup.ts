import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The part of `dev.json` that the demo needs. */
export interface DevFile {
  readonly consumer: {
    readonly baseUrl: string;
    readonly key: string;
    readonly tenantKeys: readonly [string, ...string[]];
    readonly returnUrl: string;
  };
}

export interface DevSetup {
  readonly dev: DevFile;
  /** Ends all of it and removes its data. */
  stop(): Promise<void>;
}

const COMMAND = fileURLToPath(new URL("../../../apps/server/src/cli/cli.ts", import.meta.url));
/** The number of consecutive ports that a development environment may use. */
const PORTS = 9;
const READY_TIMEOUT_MS = 45_000;
const STOP_TIMEOUT_MS = 15_000;

/** Starts a development environment on free ports and in a temporary folder. */
export async function startDevSetup(signal: AbortSignal): Promise<DevSetup> {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-demo-"));
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const command = [COMMAND, "dev", "--port", String(await findPorts()), "--data", dataFolder, "--no-panel"];
  // A separate process group, so that Ctrl-C only reaches the demo, which then shuts the environment down.
  const child = spawn(process.execPath, [...flags, ...command], {
    // The channel carries no messages: the environment detects by its end that the demo was killed.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, DATABASE_URL: "" },
    detached: true,
  });
  let complaints = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaints += chunk.toString("utf8");
  });
  const stop = async () => {
    await end(child);
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    return { dev: await readWhenReady(join(dataFolder, "dev.json"), child, signal), stop };
  } catch (error) {
    await stop();
    throw signal.aborted ? error : new Error(`${(error as Error).message}\n${complaints}`.trim());
  }
}

async function readWhenReady(file: string, child: ChildProcess, signal: AbortSignal): Promise<DevFile> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(READY_TIMEOUT_MS)]);
  while (!deadline.aborted) {
    if (child.exitCode !== null) throw new Error(`the development environment exited with code ${child.exitCode}`);
    const text = await readFile(file, "utf8").catch(() => null);
    if (text !== null) return JSON.parse(text) as DevFile;
    await setTimeout(50);
  }
  signal.throwIfAborted();
  throw new Error("the development environment was not ready in time");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const impatience = globalThis.setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(impatience);
}

/** The first of some ports in a row that are all free. */
async function findPorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const all = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFree(first + index)));
    if (all.every(Boolean)) return first;
  }
  throw new Error(`no ${PORTS} free ports in a row were found`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return listening;
}
