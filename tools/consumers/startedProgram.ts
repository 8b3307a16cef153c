import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { cleanEnvironment } from "../packages/commands.ts";

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
const PAUSE_MS = 100;

export interface ProgramOptions {
  /** For messages. */
  readonly name: string;
  readonly program: string;
  readonly parameters: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Stop it as Ctrl-C in a terminal does, which signals a package runner and the programs that it started. */
  readonly isInTerminal?: boolean;
}

export interface StartedProgram {
  /** Retries until the check succeeds, the program exits, or the timeout passes. */
  until(isSo: () => Promise<boolean>): Promise<void>;
  /** What it wrote last, to either stream. */
  output(): string;
  /** Throws when it does not end with code 0; in a terminal, Ctrl-C may also end it. */
  stop(): Promise<void>;
}

export function startProgram(options: ProgramOptions): StartedProgram {
  const { name, program, parameters, folder, environment, isInTerminal = false } = options;
  const child = spawn(program, parameters, {
    cwd: folder,
    env: cleanEnvironment(environment),
    // By the end of the channel it notices when this program is killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: isInTerminal,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
  }
  const failed = (why: string) => new Error(`${name} ${why}\n${output.trim()}`);
  return {
    until: async (isSo) => {
      const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
      while (!deadline.aborted) {
        if (child.exitCode !== null) throw failed(`ended with code ${child.exitCode}`);
        if (await isSo().catch(() => false)) return;
        await setTimeout(PAUSE_MS);
      }
      throw failed("is not ready in time");
    },
    output: () => output,
    stop: async () => {
      const code = await end(child, (signal) => {
        if (isInTerminal && child.pid !== undefined) process.kill(-child.pid, signal === "SIGTERM" ? "SIGINT" : signal);
        else child.kill(signal);
      });
      if (code !== 0 && !(isInTerminal && code === "SIGINT")) throw failed(`did not end in order (${code})`);
    },
  };
}

async function end(
  child: ChildProcess,
  send: (signal: "SIGTERM" | "SIGKILL") => void,
): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    send("SIGTERM");
    const isLate = await Promise.race([ended.then(() => false), setTimeout(STOP_TIMEOUT_MS, true, { ref: false })]);
    if (isLate) send("SIGKILL");
    await ended;
  }
  return child.exitCode ?? child.signalCode;
}

/** Some ports in a row that are all free. */
export async function freePorts(count: number): Promise<readonly number[]> {
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
