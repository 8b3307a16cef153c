import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SOCIAL_PROVIDERS } from "../../../contract/src/index.ts";
import { INHERITED_ENVIRONMENT } from "../inheritedEnvironment.ts";
import { reservePorts } from "../ports.ts";
import type { DevFile } from "./devFile.ts";
import { SERVICE_COMMAND } from "./startedProgram.ts";
import { watchOutput } from "./watchOutput.ts";

/** The consecutive ports of an environment: service, simulator, issuer, example, database, clock, and each provider. */
export const DEV_PORTS = 6 + SOCIAL_PROVIDERS.length;
/** The simulator's, counted from the first. */
export const SIMULATOR_PORT = 1;

export type RunningDev = Awaited<ReturnType<DevPlace["start"]>>;

interface PlaceOptions {
  /** Most tests do not use the admin panel and should not wait for its build. */
  readonly hasPanel?: boolean;
  /** Ends the wait for its start. */
  readonly signal?: AbortSignal;
}

/** A folder and ports for one development environment. */
export class DevPlace {
  readonly dataFolder: string;
  readonly firstPort: number;
  readonly #options: PlaceOptions;
  readonly #started: ChildProcess[] = [];

  private constructor(dataFolder: string, firstPort: number, options: PlaceOptions) {
    this.dataFolder = dataFolder;
    this.firstPort = firstPort;
    this.#options = options;
  }

  static async make(firstPort?: number, options: PlaceOptions = {}): Promise<DevPlace> {
    const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-dev-"));
    return new DevPlace(dataFolder, firstPort ?? (await reservePorts(DEV_PORTS)), options);
  }

  /** The same folder on other ports; the other place no longer runs. */
  static async on(other: DevPlace): Promise<DevPlace> {
    return new DevPlace(other.dataFolder, await reservePorts(DEV_PORTS), other.#options);
  }

  /** Starts it with its command, as a developer would, and waits for dev.json. */
  async start(...options: string[]) {
    const panel = this.#options.hasPanel ? [] : ["--no-panel"];
    const [program, ...first] = SERVICE_COMMAND;
    const own = ["dev", "--port", String(this.firstPort), "--data", this.dataFolder, ...panel];
    const supervisor = spawn(program, [...first, ...own, ...options], {
      // The channel stops the environment when the test run is killed.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
    });
    this.#started.push(supervisor);
    const { output, ended } = watchOutput(supervisor);
    for (;;) {
      this.#options.signal?.throwIfAborted();
      const dev = await this.devFile();
      // A killed supervisor's file remains until the next supervisor removes it.
      if (dev?.pid === supervisor.pid)
        return { supervisor, dev: dev as DevFile, output: () => output.stdout, errors: () => output.stderr, ended };
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
  async [Symbol.asyncDispose](): Promise<void> {
    for (const supervisor of this.#started) {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) continue;
      supervisor.kill("SIGTERM");
      await once(supervisor, "exit");
    }
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

export async function call(dev: DevFile, key: string, query: string): Promise<unknown> {
  const response = await fetch(`${dev.consumer.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}
