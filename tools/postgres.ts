import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runStatement } from "../packages/testkit/src/database.ts";
import { reservePort } from "../packages/testkit/src/ports.ts";

/** Where packages of PostgreSQL install their programs. */
const INSTALLATIONS = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"] as const;
const HOST = "127.0.0.1";
const USER = "postgres";
/** The user `nobody`, because PostgreSQL does not run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Folders that may contain the programs of a PostgreSQL: those in PATH, and those of packages with the newest first. */
export function programFolders(): readonly string[] {
  return [...(process.env.PATH ?? "").split(delimiter), ...INSTALLATIONS.flatMap(packagedFolders)];
}

function packagedFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .map((version) => join(folder, version, "bin"));
}

/** A temporary cluster of an installed PostgreSQL. Its user `postgres` needs no password. */
export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  url(database: string): string;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Where a cluster runs. By default on loopback, in a folder for temporary files. */
export interface PostgresPlace {
  readonly host?: string;
  /** A command that runs another, for example in a network namespace. */
  readonly within?: readonly string[];
  /** The folder for the cluster's own. */
  readonly parent?: string;
  /** Files of the cluster's folder, by name, written before the start. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a new cluster from the programs in `bin`. It stops with this process. */
export async function startPostgres(
  bin: string,
  settings: Readonly<Record<string, string | number>> = {},
  { host = HOST, within = [], parent = tmpdir(), files = {} }: PostgresPlace = {},
): Promise<PostgresServer> {
  const [folder, port] = await Promise.all([mkdtemp(join(parent, "postgres-")), reservePort()]);
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  await chmod(folder, 0o700);
  const create = ["--pgdata", folder, "--username", USER, "--auth", "trust", "--encoding", "UTF8"];
  await run(join(bin, "initdb"), [...create, "--locale", "C.UTF-8", "--no-sync"]);
  const all = {
    port,
    listen_addresses: host,
    unix_socket_directories: "",
    max_connections: 300,
    // A test may lose its data with the machine.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    log_min_messages: "warning",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(folder, "postgresql.conf"), lines.join(""));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    if (isRoot) await chown(join(folder, name), NOBODY, NOBODY);
  }
  const server = spawnAsUser(join(bin, "postgres"), ["-D", folder], within);
  const url = (database: string) => `postgres://${USER}@${host}:${port}/${database}`;
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGINT");
      await once(server, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url(USER), server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, folder, url, stop };
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  let output = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000);
  });
  for (let waitedMs = 0; server.exitCode === null && waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
    const isReady = await runStatement(url, "SELECT 1").then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`a PostgreSQL did not start: ${output}`);
}

async function run(program: string, parameters: readonly string[]): Promise<void> {
  const child = spawnAsUser(program, parameters);
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} failed: ${output}`);
}

/** Runs a program of PostgreSQL, as another user instead of root. The system ends it with this process. */
function spawnAsUser(program: string, parameters: readonly string[], within: readonly string[] = []): ChildProcess {
  const user = isRoot ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];
  const [first = "", ...rest] = [...within, "setpriv", ...user, "--pdeathsig", "INT", "--", program, ...parameters];
  return spawn(first, rest, {
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
