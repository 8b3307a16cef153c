import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runStatement } from "../packages/testkit/src/database.ts";
import { type PostgresServer, programFolders, startPostgres } from "./postgres.ts";

const HOST = "127.0.0.1";
const DATABASE = "service";

/** Why a check on Citus is skipped; see `findCitus`. */
export const NO_CITUS =
  "no PostgreSQL with the extension Citus is installed (set CITUS_BIN to the folder of its programs)";

/**
 * The folder of the programs of a PostgreSQL that has the extension: CITUS_BIN, the first in PATH, or that of a package.
 * null if no PostgreSQL has it.
 */
export function findCitus(): string | null {
  const { CITUS_BIN: own } = process.env;
  return (own ? [own] : programFolders()).find(hasCitus) ?? null;
}

function hasCitus(bin: string): boolean {
  if (!existsSync(join(bin, "postgres")) || !existsSync(join(bin, "initdb"))) return false;
  const { status, stdout } = spawnSync(join(bin, "pg_config"), ["--sharedir"], { encoding: "utf8" });
  return status === 0 && existsSync(join(stdout.trim(), "extension", "citus.control"));
}

interface CitusNode {
  readonly port: number;
  readonly url: string;
}

export type CitusCluster = Awaited<ReturnType<typeof startCitus>>;

/** Starts a coordinator and two workers on loopback. They stop with this process. */
export async function startCitus() {
  const bin = findCitus();
  if (bin === null) throw new Error(NO_CITUS);
  const servers: PostgresServer[] = [];
  /** Another PostgreSQL with the extension, which is not yet part of the cluster. */
  const startNode = async (): Promise<CitusNode> => {
    // Shards move by logical replication. Checks count the statements that a node gets.
    const libraries = "citus, pg_stat_statements";
    const server = await startPostgres(bin, { shared_preload_libraries: libraries, wal_level: "logical" });
    servers.push(server);
    await prepareNode(server);
    return { port: server.port, url: server.url(DATABASE) };
  };
  const stop = async () => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    const coordinator = await startNode();
    const workers = [await startNode(), await startNode()];
    await runStatement(coordinator.url, "SELECT citus_set_coordinator_host($1, $2)", [HOST, coordinator.port]);
    for (const { port } of workers) await addNode(coordinator, port);
    return { coordinator, workers, startNode, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function addNode(coordinator: CitusNode, port: number): Promise<void> {
  await runStatement(coordinator.url, "SELECT citus_add_node($1, $2)", [HOST, port]);
}

async function prepareNode({ url }: PostgresServer): Promise<void> {
  await runStatement(url("postgres"), `CREATE DATABASE ${DATABASE}`);
  await runStatement(url(DATABASE), "CREATE EXTENSION citus");
  // Minor versions since 2026 let only the libraries of this list send changes of rows, which a split of a shard needs.
  const lists = "SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'";
  if ((await runStatement(url(DATABASE), lists)).length > 0) {
    await runStatement(url(DATABASE), "ALTER SYSTEM SET output_plugin_libraries = pgoutput, citus");
    await runStatement(url(DATABASE), "SELECT pg_reload_conf()");
  }
}
