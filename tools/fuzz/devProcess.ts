import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const HEAP_MEGABYTES = 256;
const PROBE_TIMEOUT_MS = 30_000;

export interface DevProcess {
  readonly dev: DevFile;
  /** Error lines of the log; cleared by the reader. */
  readonly complaints: string[];
  /** What the API's heap takes after a garbage collection. */
  heapBytes(): Promise<number>;
  /** Process id of the api; a change means that it exited. */
  apiPid(): Promise<number | null>;
  stop(): Promise<void>;
}

/** A development environment: the service, workers, simulator and PostgreSQL in processes. */
export async function startDevProcess(dataFolder: string, firstPort: number): Promise<DevProcess> {
  const parameters = [...FLAGS, PROGRAM, "dev", "--port", String(firstPort), "--data", dataFolder];
  const child = spawn(process.execPath, parameters, {
    env: { ...process.env, LOG_LEVEL: "warn", DATABASE_URL: "", NODE_OPTIONS: nodeOptions(dataFolder) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const complaints: string[] = [];
  const isStopping = { now: false };
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (!isStopping.now && isComplaint(line)) complaints.push(line.slice(0, 4_000));
  });
  const readDev = async () => JSON.parse(await readFile(join(dataFolder, "dev.json"), "utf8")) as DevFile;
  await waitUntilReady(child);
  const dev = await readDev();
  const apiPid = async () => (await readDev()).processes.api;
  return {
    dev,
    complaints,
    apiPid,
    heapBytes: async () => {
      const pid = await apiPid();
      if (pid === null) throw new Error("The API is not running.");
      const file = join(dataFolder, `heap-${pid}`);
      await rm(file, { force: true });
      process.kill(pid, "SIGUSR2");
      for (let waitedMs = 0; waitedMs < PROBE_TIMEOUT_MS; waitedMs += 50) {
        await setTimeout(50);
        if (existsSync(file)) return Number(await readFile(file, "utf8"));
      }
      throw new Error("The API did not say how large its heap is.");
    },
    stop: async () => {
      isStopping.now = true;
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A small heap, so that what grows ends the process, and the probe. */
function nodeOptions(dataFolder: string): string {
  const probe = new URL("./heapProbe.ts", import.meta.url);
  probe.searchParams.set("folder", dataFolder);
  return `--max-old-space-size=${HEAP_MEGABYTES} --import=${probe.href}`;
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.once("exit", (code) => reject(new Error(`The environment did not start (${code}): ${output.slice(-2_000)}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes("Ctrl-C")) resolve();
    });
  });
  child.removeAllListeners("exit");
}

/** An error in the log of the service, a process that ended, or anything that was not logged at all, such as a warning. */
function isComplaint(line: string): boolean {
  const [, role, text = ""] = /^\[(\w+)\] (.*)$/.exec(line) ?? [];
  if (role === "dev") return true;
  if (role !== "api" && role !== "worker") return false;
  try {
    const { level } = JSON.parse(text) as { level?: string };
    return level !== "warn" && level !== "info" && level !== "debug";
  } catch {
    return true;
  }
}
