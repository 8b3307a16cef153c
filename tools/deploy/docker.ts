import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

const START_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 900_000;

/** A Docker Engine. */
export interface Docker {
  /** Runs `docker` and gives its output. */
  docker(...parameters: readonly string[]): Promise<string>;
  /** Runs Docker Compose for a file, as a separate project. */
  compose(...parameters: readonly string[]): Promise<string>;
  /** The environment in which `docker` finds this engine. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends an engine that was started for this. */
  stop(): Promise<void>;
}

/**
 * The running Docker Engine. Without one, starts `dockerd` with its own data if this process is root.
 *
 * @returns the engine, or why it cannot be used
 */
export async function findDocker(compose: {
  readonly file: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<Docker | string> {
  if (!succeeds("docker", ["--version"])) return "there is no `docker` command";
  const composeCommand = succeeds("docker", ["compose", "version"]) ? ["docker", "compose"] : ["docker-compose"];
  if (composeCommand[0] === "docker-compose" && !succeeds("docker-compose", ["version"])) {
    return "there is no Docker Compose";
  }
  const engine = succeeds("docker", ["info"]) ? { environment: {}, stop: async () => undefined } : await startEngine();
  if (typeof engine === "string") return engine;
  const command = (program: string, parameters: readonly string[], environment = {}) =>
    run(program, parameters, {
      folder: ROOT,
      environment: { ...engine.environment, ...environment },
      timeoutMs: COMMAND_TIMEOUT_MS,
    });
  const [composeProgram = "", ...composeParameters] = composeCommand;
  return {
    ...engine,
    docker: (...parameters) => command("docker", parameters),
    compose: (...parameters) => {
      const all = [...composeParameters, "-f", compose.file, "-p", compose.project, ...parameters];
      return command(composeProgram, all, compose.environment);
    },
  };
}

async function startEngine(): Promise<Pick<Docker, "environment" | "stop"> | string> {
  if (process.getuid?.() !== 0) return "no Docker Engine runs, and only root can start `dockerd`";
  if (!succeeds("dockerd", ["--version"])) return "no Docker Engine runs, and there is no `dockerd` command";
  const folder = await mkdtemp(join(tmpdir(), "social-connect-docker-"));
  const host = `unix://${join(folder, "docker.sock")}`;
  const logFile = join(folder, "dockerd.log");
  const log = openSync(logFile, "w");
  const folders = ["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")];
  const child = spawn("dockerd", ["--host", host, "--pidfile", join(folder, "docker.pid"), ...folders], {
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await unmountBelow(folder);
    await rm(folder, { recursive: true, force: true });
  };
  const environment = { DOCKER_HOST: host };
  const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!deadline.aborted && child.exitCode === null) {
    if (succeeds("docker", ["info"], environment)) return { environment, stop };
    await setTimeout(250);
  }
  const reason = (await readFile(logFile, "utf8")).trim().split("\n").at(-1) ?? "";
  await stop();
  return `dockerd does not start: ${reason}`;
}

/** dockerd leaves its network namespace mounted, and the file of a mount cannot be removed. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = await readFile("/proc/self/mounts", "utf8");
  const points = mounts.split("\n").map((line) => line.split(" ")[1] ?? "");
  for (const point of points.toReversed()) if (point.startsWith(`${folder}/`)) succeeds("umount", [point]);
}

function succeeds(program: string, parameters: readonly string[], environment: Record<string, string> = {}): boolean {
  return (
    spawnSync(program, parameters, { env: { ...process.env, ...environment }, stdio: "ignore", timeout: 20_000 })
      .status === 0
  );
}
