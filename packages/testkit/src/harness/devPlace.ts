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

export type DevPlace = Awaited<ReturnType<typeof makeDevPlace>>;
export type RunningDev = Awaited<ReturnType<DevPlace["start"]>>;

interface PlaceOptions {
  /** Consecutive free ones by default. */
  readonly firstPort?: number;
  /** That of another place, which no longer runs; a new one by default. */
  readonly dataFolder?: string;
  /** Most tests do not use the admin panel and should not wait for its build. */
  readonly hasPanel?: boolean;
  /** Ends the wait for its start. */
  readonly signal?: AbortSignal;
}

/** A folder and ports for one development environment. */
export async function makeDevPlace({ hasPanel, signal, ...given }: PlaceOptions = {}) {
  const dataFolder = given.dataFolder ?? (await mkdtemp(join(tmpdir(), "social-connect-dev-")));
  const firstPort = given.firstPort ?? (await reservePorts(DEV_PORTS));
  const started: ChildProcess[] = [];
  const devFile = async (): Promise<DevFile | null> => {
    const text = await readFile(join(dataFolder, "dev.json"), "utf8").catch(() => null);
    return text === null ? null : (JSON.parse(text) as DevFile);
  };
  return {
    dataFolder,
    firstPort,
    devFile,
    /** Starts it with its command, as a developer would, and waits for dev.json. */
    start: async (...options: string[]) => {
      const [program, ...first] = SERVICE_COMMAND;
      const own = ["dev", "--port", String(firstPort), "--data", dataFolder, ...(hasPanel ? [] : ["--no-panel"])];
      const supervisor = spawn(program, [...first, ...own, ...options], {
        // The channel stops the environment when the test run is killed.
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
      });
      started.push(supervisor);
      const { output, ended } = watchOutput(supervisor);
      for (;;) {
        signal?.throwIfAborted();
        const dev = await devFile();
        // A killed supervisor's file remains until the next supervisor removes it.
        if (dev?.pid === supervisor.pid)
          return { supervisor, dev: dev as DevFile, output: () => output.stdout, errors: () => output.stderr, ended };
        if (supervisor.exitCode !== null) throw new Error((await ended).stderr);
        await setTimeout(50);
      }
    },
    /** Moves all clocks; only in an environment that was started with `--clock`. */
    moveClock: async (advanceMs: number): Promise<void> => {
      const clockUrl = (await devFile())?.clockUrl;
      const response = await fetch(`${clockUrl}/advance`, { method: "POST", body: JSON.stringify({ advanceMs }) });
      if (!response.ok) throw new Error(`the clock was not moved: ${response.status}`);
    },
    /** Stops what still runs and removes the folder. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const supervisor of started) {
        if (supervisor.exitCode !== null || supervisor.signalCode !== null) continue;
        supervisor.kill("SIGTERM");
        await once(supervisor, "exit");
      }
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

export async function call(dev: DevFile, key: string, query: string): Promise<unknown> {
  const response = await fetch(`${dev.consumer.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}
