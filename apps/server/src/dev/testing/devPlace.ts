import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { reservePorts } from "../../platform/ports.ts";
import type { DevFile } from "../devFile.ts";
import { planPorts } from "../ports.ts";

const COMMAND = fileURLToPath(new URL("../../cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];

export interface RunningDev {
  readonly supervisor: ChildProcess;
  readonly dev: DevFile;
  /** What it wrote to its standard output. */
  output(): string;
  readonly ended: Promise<Outcome>;
}

/** A folder and ports for one development environment. */
export class DevPlace {
  readonly dataFolder: string;
  readonly firstPort: number;
  /** Most tests do not use the admin panel and should not wait for its build. */
  readonly #hasPanel: boolean;
  readonly #started: ChildProcess[] = [];

  private constructor(dataFolder: string, firstPort: number, hasPanel: boolean) {
    this.dataFolder = dataFolder;
    this.firstPort = firstPort;
    this.#hasPanel = hasPanel;
  }

  static async make(firstPort?: number, { hasPanel = false } = {}): Promise<DevPlace> {
    const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-dev-"));
    return new DevPlace(dataFolder, firstPort ?? (await findFirstPort()), hasPanel);
  }

  /** The same folder on other ports; the other place no longer runs. */
  static async on(other: DevPlace): Promise<DevPlace> {
    return new DevPlace(other.dataFolder, await findFirstPort(), other.#hasPanel);
  }

  /** Starts it with its command, as a developer would, and waits for dev.json. */
  async start(...options: string[]): Promise<RunningDev> {
    const panel = this.#hasPanel ? [] : ["--no-panel"];
    const supervisor = spawnDev(this.firstPort, this.dataFolder, [...panel, ...options]);
    this.#started.push(supervisor);
    const ended = outcome(supervisor);
    let output = "";
    supervisor.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    for (;;) {
      const dev = await this.devFile();
      // A killed supervisor's file remains until the next supervisor removes it.
      if (dev?.pid === supervisor.pid) return { supervisor, dev: dev as DevFile, output: () => output, ended };
      if (supervisor.exitCode !== null) throw new Error((await ended).stderr);
      await setTimeout(50);
    }
  }

  async devFile(): Promise<DevFile | null> {
    const text = await readFile(join(this.dataFolder, "dev.json"), "utf8").catch(() => null);
    return text === null ? null : (JSON.parse(text) as DevFile);
  }

  /** Moves all clocks; only in an environment that was started with `--clock`. */
  async moveClock(advanceMs: number): Promise<void> {
    const clockUrl = (await this.devFile())?.clockUrl;
    const response = await fetch(`${clockUrl}/advance`, { method: "POST", body: JSON.stringify({ advanceMs }) });
    if (!response.ok) throw new Error(`the clock was not moved: ${response.status}`);
  }

  /** Stops what still runs and removes the folder. */
  async clear(): Promise<void> {
    for (const supervisor of this.#started) {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) continue;
      supervisor.kill("SIGTERM");
      await once(supervisor, "exit");
    }
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

export function spawnDev(port: number, dataFolder: string, options: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...FLAGS, COMMAND, "dev", "--port", String(port), "--data", dataFolder, ...options], {
    // The channel stops the environment when the test run is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
}

export interface Outcome {
  readonly exitCode: number | null;
  readonly stderr: string;
}

export async function outcome(child: ChildProcess): Promise<Outcome> {
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdout?.resume();
  await once(child, "close");
  return { exitCode: child.exitCode, stderr: stderr.trim() };
}

/** The first of as many consecutive free ports as an environment may use. */
export function findFirstPort(): Promise<number> {
  return reservePorts(Object.keys(planPorts(0)).length);
}

export async function call(dev: DevFile, key: string, query: string): Promise<unknown> {
  const response = await fetch(`${dev.consumer.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}
