import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { reservePort } from "../apps/server/src/platform/ports.ts";
import { runStatement } from "../packages/testkit/src/database.ts";

/** Where packages of PostgreSQL install their programs. */
const INSTALLATIONS = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"] as const;
const HOST = "127.0.0.1";
const DATABASE = "service";
const USER = "postgres";
/** The user `nobody`, because PostgreSQL does not run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Why a check on Citus is skipped; see `findCitus`. */
export const NO_CITUS =
  "no PostgreSQL with the extension Citus is installed (set CITUS_BIN to the folder of its programs)";

/**
 * The folder of the programs of a PostgreSQL that has the extension: CITUS_BIN, the first in PATH, or that of a package.
 * null if no PostgreSQL has it.
 */
export function findCitus(): string | null {
  const { CITUS_BIN: own, PATH = "" } = process.env;
  const candidates = own ? [own] : [...PATH.split(delimiter), ...INSTALLATIONS.flatMap(programFolders)];
  return candidates.find(hasCitus) ?? null;
}

function programFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .map((version) => join(folder, version, "bin"));
}

function hasCitus(bin: string): boolean {
  if (!existsSync(join(bin, "postgres")) || !existsSync(join(bin, "initdb"))) return false;
  const { status, stdout } = spawnSync(join(bin, "pg_config"), ["--sharedir"], { encoding: "utf8" });
  return status === 0 && existsSync(join(stdout.trim(), "extension", "citus.control"));
}

/** One PostgreSQL of a cluster. */
export interface CitusNode {
  readonly port: number;
  /** The URL of the service's database on this node. */
  readonly url: string;
}

export interface CitusCluster {
  readonly coordinator: CitusNode;
  /** In the order in which they were added. */
  readonly workers: readonly CitusNode[];
  /** Starts another PostgreSQL with the extension, which is not yet part of the cluster. */
  startNode(): Promise<CitusNode>;
  /** Stops all nodes and removes their folders. */
  stop(): Promise<void>;
}

interface RunningNode extends CitusNode {
  readonly folder: string;
  readonly server: ChildProcess;
}

/** A temporary cluster for one task; see `startCitus`. */
export async function withCitus<Result>(
  options: { readonly workers: number },
  work: (cluster: CitusCluster) => Promise<Result>,
): Promise<Result> {
  const bin = findCitus();
  if (bin === null) throw new Error(NO_CITUS);
  const cluster = await startCitus(bin, options);
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

/** Starts a coordinator and workers on loopback, from the programs in `bin`. They stop with this process. */
export async function startCitus(bin: string, { workers }: { readonly workers: number }): Promise<CitusCluster> {
  const nodes: RunningNode[] = [];
  const start = async () => {
    const node = await startNode(bin);
    nodes.push(node);
    return node;
  };
  const stop = async () => {
    await Promise.all(nodes.map(stopNode));
  };
  try {
    for (let count = 0; count <= workers; count += 1) await start();
    const [coordinator, ...others] = nodes as [RunningNode, ...RunningNode[]];
    await runStatement(coordinator.url, "SELECT citus_set_coordinator_host($1, $2)", [HOST, coordinator.port]);
    for (const { port } of others) await addNode(coordinator, port);
    return { coordinator, workers: others, startNode: start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds a PostgreSQL to the cluster. It receives the reference tables, and shards when the cluster is rebalanced. */
export async function addNode(coordinator: CitusNode, port: number): Promise<void> {
  await runStatement(coordinator.url, "SELECT citus_add_node($1, $2)", [HOST, port]);
}

async function startNode(bin: string): Promise<RunningNode> {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), "citus-")), reservePort()]);
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  await chmod(folder, 0o700);
  const create = [
    "--pgdata",
    folder,
    "--username",
    USER,
    "--auth",
    "trust",
    "--encoding",
    "UTF8",
    "--locale",
    "C.UTF-8",
  ];
  await run(join(bin, "initdb"), [...create, "--no-sync"]);
  const settings = {
    port,
    listen_addresses: HOST,
    unix_socket_directories: "",
    shared_preload_libraries: "citus",
    // Shards move by logical replication.
    wal_level: "logical",
    max_connections: 300,
    // A test may lose its data with the machine.
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    log_min_messages: "warning",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(folder, "postgresql.conf"), lines.join(""));
  const server = spawnAsUser(join(bin, "postgres"), ["-D", folder]);
  const node = { folder, server, port, url: `postgres://${USER}@${HOST}:${port}/${DATABASE}` };
  try {
    const maintenance = `postgres://${USER}@${HOST}:${port}/postgres`;
    await untilReady(maintenance, server);
    await runStatement(maintenance, `CREATE DATABASE ${DATABASE}`);
    await runStatement(node.url, "CREATE EXTENSION citus");
    // Minor versions since 2026 let only the libraries of this list send changes of rows, which a split of a shard needs.
    if ((await runStatement(node.url, "SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'")).length > 0) {
      await runStatement(node.url, "ALTER SYSTEM SET output_plugin_libraries = pgoutput, citus");
      await runStatement(node.url, "SELECT pg_reload_conf()");
    }
    return node;
  } catch (error) {
    await stopNode(node);
    throw error;
  }
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
  throw new Error(`a PostgreSQL with Citus did not start: ${output}`);
}

async function stopNode({ server, folder }: RunningNode): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill("SIGINT");
    await once(server, "exit");
  }
  await rm(folder, { recursive: true, force: true });
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
function spawnAsUser(program: string, parameters: readonly string[]): ChildProcess {
  const user = isRoot ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];
  return spawn("setpriv", [...user, "--pdeathsig", "INT", "--", program, ...parameters], {
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
