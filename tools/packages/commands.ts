import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { env } from "node:process";
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
const KEPT_OUTPUT = 6_000;
const IS_WINDOWS = process.platform === "win32";

/** Runs a program to its end and gives what it wrote to its output. Rejects with a CommandError when it fails. */
export function run(program: string, parameters: readonly string[], options: CommandOptions): Promise<string> {
  const { folder, environment, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: folder,
      env: cleanEnvironment(environment),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      // Package managers are scripts there, which only a shell can start; nothing here comes from outside.
      shell: IS_WINDOWS,
    });
    let output = "";
    let all = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      all += chunk.toString("utf8");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      all += chunk.toString("utf8");
    });
    child.once("error", (error) => reject(new CommandError(`${program} cannot be run: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
      reject(new CommandError(`${[program, ...parameters].join(" ")} ${how}\n${all.slice(-KEPT_OUTPUT).trim()}`));
    });
  });
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
