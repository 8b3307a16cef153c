import { spawnSync } from "node:child_process";
import { run } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";

const COMMAND_TIMEOUT_MS = 900_000;

/** A Docker Engine. */
export interface Docker {
  /** Runs `docker` and gives its output. */
  docker(...parameters: readonly string[]): Promise<string>;
  /** Runs Docker Compose for a file, as a separate project. */
  compose(...parameters: readonly string[]): Promise<string>;
}

/** The running Docker Engine, or the reason why it cannot be used. */
export function findDocker(compose: {
  readonly file: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
}): Docker | string {
  const succeeds = (...parameters: readonly string[]) =>
    spawnSync("docker", parameters, { stdio: "ignore", timeout: 20_000 }).status === 0;
  if (!succeeds("--version")) return "there is no `docker` command";
  if (!succeeds("info")) return "no Docker Engine runs";
  if (!succeeds("compose", "version")) return "there is no Docker Compose";
  const docker = (parameters: readonly string[], environment = {}) =>
    run("docker", parameters, { folder: ROOT, environment, timeoutMs: COMMAND_TIMEOUT_MS });
  return {
    docker: (...parameters) => docker(parameters),
    compose: (...parameters) =>
      docker(["compose", "-f", compose.file, "-p", compose.project, ...parameters], compose.environment),
  };
}
