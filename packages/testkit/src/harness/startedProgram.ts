import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const READY_TIMEOUT_MS = 240_000;
/** Longer than a service may take to end in order. */
const STOP_TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/** Variables that a package runner sets for its scripts and that would confuse another runner in another folder. */
const RUN_VARIABLES =
  /^(?:npm_(?:package|lifecycle|command|execpath|node_execpath)|npm_config_(?:local_prefix|prefix|user_agent|noproxy|node_gyp)$|pnpm_|PNPM_SCRIPT|INIT_CWD|NODE_OPTIONS|NODE_PATH)/i;

/** What a variable is set to; undefined removes it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a program that should not notice from where it was started. The registry's settings stay. */
export function cleanEnvironment(changes: Environment = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !RUN_VARIABLES.test(name));
  const all = Object.entries({ ...Object.fromEntries(inherited), ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A program and the parameters before its own. */
export type Command = readonly [program: string, ...parameters: string[]];

/** Runs TypeScript of the workspace, without a build. */
export const SOURCE_FLAGS: readonly string[] = [
  "--conditions=@social-connect/source",
  "--disable-warning=ExperimentalWarning",
];

/** The command `social-connect` from the workspace's source. */
export const SERVICE_COMMAND: Command = [
  process.execPath,
  ...SOURCE_FLAGS,
  fileURLToPath(new URL("../../../../apps/server/cli.ts", import.meta.url)),
];

export interface ProgramOptions {
  /** For messages; by default the program. */
  readonly name?: string;
  readonly command: Command;
  readonly folder?: string;
  /** Added to the environment of this process, unless `isAlone`. */
  readonly environment?: Environment;
  /** Whether it gets only `environment`. */
  readonly isAlone?: boolean;
  /** Stop it as Ctrl-C in a terminal does, which signals a package runner and the programs that it started. */
  readonly isInTerminal?: boolean;
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** A descriptor in place of the pipe that `output` is read from. */
  readonly stdout?: number | "pipe";
}

export type StartedProgram = ReturnType<typeof startProgram>;

/** Starts a program, which runs until it is stopped. It ends when this process is killed, because its channel ends then. */
export function startProgram({ command, name = command[0], isInTerminal = false, ...options }: ProgramOptions) {
  const [program, ...parameters] = command;
  const { environment, folder, isAlone, onLine, stdout = "pipe" } = options;
  const child: ChildProcess = spawn(program, parameters, {
    cwd: folder,
    env: isAlone ? (environment as NodeJS.ProcessEnv) : cleanEnvironment(environment),
    stdio: ["ignore", stdout, "pipe", "ipc"],
    detached: isInTerminal,
  });
  let output = "";
  for (const from of ["stdout", "stderr"] as const) {
    const stream = child[from];
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
    if (stream && onLine) createInterface({ input: stream }).on("line", (line) => onLine(line, from));
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const failed = (why: string) => new Error(`${name} ${why}\n${output.trim()}`);
  const send = (signal: NodeJS.Signals) =>
    isInTerminal && child.pid !== undefined ? process.kill(-child.pid, signal) : child.kill(signal);
  const end = async (signal: NodeJS.Signals) => {
    if (!hasEnded()) {
      const ended = once(child, "close");
      send(signal);
      const isLate = await Promise.race([ended.then(() => false), setTimeout(STOP_TIMEOUT_MS, true, { ref: false })]);
      if (isLate) send("SIGKILL");
      await ended;
    }
    return child.exitCode ?? child.signalCode;
  };
  /** Throws when it does not end with code 0; in a terminal, Ctrl-C may also end it. */
  const stop = async () => {
    const code = await end(isInTerminal ? "SIGINT" : "SIGTERM");
    if (code !== 0 && !(isInTerminal && code === "SIGINT")) throw failed(`did not end in order (${code})`);
  };
  return {
    child,
    hasEnded,
    stop,
    kill: async () => void (await end("SIGKILL")),
    [Symbol.asyncDispose]: stop,
    untilEnded: async () => void (hasEnded() || (await once(child, "close"))),
    /** The end of what it wrote, to either stream. */
    output: () => output,
    /** Waits until the check succeeds. Throws when the program ends or does not get there in time. */
    until: async (isSo: () => Promise<boolean>) => {
      const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
      while (!(await isSo().catch(() => false))) {
        if (hasEnded()) throw failed(`ended with code ${child.exitCode}`);
        if (deadline.aborted) throw failed("is not ready in time");
        await setTimeout(PAUSE_MS);
      }
    },
  };
}
