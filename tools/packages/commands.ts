import { type ExecFileException, execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { cleanEnvironment, type Environment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { ROOT } from "./publishedPackages.ts";

export interface CommandOptions {
  readonly folder: string;
  /** Added to the environment; undefined takes a variable out. */
  readonly environment?: Environment;
  readonly timeoutMs?: number;
}

/** A command that ended with another code than 0; its message holds the end of what it wrote. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Ends a command that hangs; on a busy machine a build takes minutes. */
const DEFAULT_TIMEOUT_MS = 900_000;
const MOST_OUTPUT = 256 * 1024 * 1024;
const KEPT_OUTPUT = 6_000;

/** Runs a program to its end and gives what it wrote to its output. Rejects with a CommandError when it fails. */
export async function run(program: string, parameters: readonly string[], options: CommandOptions): Promise<string> {
  const { folder, environment, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const running = promisify(execFile)(program, parameters, {
    cwd: folder,
    env: cleanEnvironment(environment),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT,
    // Package managers are scripts there, which only a shell can start; nothing here comes from outside.
    shell: process.platform === "win32",
  });
  running.child.stdin?.end();
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, signal, stdout = "", stderr = "" } = error as ExecFileException;
    const how = `ended with ${signal ?? code}\n${(stdout + stderr).slice(-KEPT_OUTPUT).trim()}`;
    throw new CommandError(`${[program, ...parameters].join(" ")} ${how}`);
  }
}

/** Runs pnpm: the version that runs this script, or else the version on the PATH. */
export function pnpm(parameters: readonly string[], options: CommandOptions): Promise<string> {
  const running = env["npm_execpath"] ?? "";
  const isPnpm = /(?:^|[\\/])pnpm(?:\.exe)?$/.test(running);
  return run(isPnpm ? running : "pnpm", parameters, options);
}

/** Runs npm, as who installs the packages would. */
export function npm(parameters: readonly string[], options: CommandOptions): Promise<string> {
  return run("npm", parameters, options);
}

/** Runs a program of the workspace's own dependencies. */
export function workspaceProgram(
  name: string,
  parameters: readonly string[],
  options: Partial<CommandOptions> = {},
): Promise<string> {
  const programs = join(ROOT, "node_modules", ".bin");
  const path = [programs, dirname(process.execPath), env["PATH"] ?? ""].join(delimiter);
  return run(name, parameters, { folder: ROOT, ...options, environment: { PATH: path, ...options.environment } });
}
