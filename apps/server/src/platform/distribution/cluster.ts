import type pg from "pg";
import { withSession } from "../database/session.ts";
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from "./tables.ts";

const INSTALLATION = "https://docs.citusdata.com/en/stable/installation/multi_node.html";

export interface ClusterNode {
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  /** Whether it gets shards. */
  readonly hasShards: boolean;
}

/** The active nodes. Throws if the database does not have the extension. */
export async function readNodes(client: pg.Client): Promise<readonly ClusterNode[]> {
  await requireExtension(client);
  const { rows } = await client.query<ClusterNode & { readonly isActive: boolean }>(
    `SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator", shouldhaveshards AS "hasShards",
            isactive AS "isActive"
       FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid, nodeid`,
  );
  const inactive = rows.find(({ isActive }) => !isActive);
  if (inactive !== undefined) {
    const { host, port } = inactive;
    throw new Error(`the node ${host}:${port} is disabled; run SELECT citus_activate_node('${host}', ${port})`);
  }
  return rows.map(({ host, port, isCoordinator, hasShards }) => ({ host, port, isCoordinator, hasShards }));
}

async function requireExtension(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ installed: boolean; created: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS installed,
            EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS created`,
  );
  if (rows[0]?.created === true) return;
  throw new Error(
    rows[0]?.installed === true
      ? "this database does not have the extension Citus, but its server has it; run CREATE EXTENSION citus in this database on every node, as a superuser"
      : `this PostgreSQL does not have the extension Citus. Install it on every node, add citus to shared_preload_libraries and restart: ${INSTALLATION}`,
  );
}

export async function requireReachableNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"from" | "to", string>>(
    `SELECT from_nodename || ':' || from_nodeport AS "from", to_nodename || ':' || to_nodeport AS "to"
       FROM citus_check_cluster_node_health() WHERE NOT coalesce(result, false) LIMIT 1`,
  );
  const [failure] = rows;
  if (failure === undefined) return;
  throw new Error(
    `the node ${failure.from} cannot connect to ${failure.to}; correct pg_hba.conf, .pgpass or the network of these nodes`,
  );
}

/** Copying a table or a shard takes longer than any statement of the service. `ALTER ROLE … SET` reaches the workers, too. */
export async function requireNoTimeouts(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"node" | "timeouts" | "user", string>>(
    `SELECT nodename || ':' || nodeport AS node, result AS timeouts, current_user AS user FROM run_command_on_workers(
       $$SELECT concat_ws(' and ', 'statement_timeout ' || nullif(current_setting('statement_timeout'), '0'),
           'idle_in_transaction_session_timeout ' || nullif(current_setting('idle_in_transaction_session_timeout'), '0'))$$)
      WHERE success AND result <> '' LIMIT 1`,
  );
  const [limited] = rows;
  if (limited === undefined) return;
  const { node, timeouts, user } = limited;
  throw new Error(
    `the user ${user} has ${timeouts} on the worker ${node}, which ends the copy of a large table; run ALTER ROLE ${user} RESET statement_timeout; ALTER ROLE ${user} RESET idle_in_transaction_session_timeout; and set timeouts for the coordinator's database only (docs/operations/citus.md, Pooler)`,
  );
}

/** Kinds of the tables that Citus knows, as `citus_tables` names them. */
export async function tableKinds(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    "SELECT table_name::text AS name, citus_table_type AS kind FROM citus_tables",
  );
  return new Map(rows.map(({ name, kind }) => [name, kind]));
}

export async function requireDistributedTables(client: pg.Client): Promise<void> {
  const kinds = await tableKinds(client);
  if (DISTRIBUTED_TABLES.every((table) => kinds.get(table) === "distributed")) return;
  throw new Error("the tables are not distributed; run `social-connect distribute` first");
}

export interface DistributionStatus {
  /** Whether all tables are distributed. */
  readonly isDistributed: boolean;
  readonly nodes: readonly (ClusterNode & { readonly shards: number; readonly bytes: number })[];
  readonly tables: readonly {
    readonly name: string;
    readonly kind: "distributed" | "reference";
    /** 0 until it is distributed. */
    readonly shards: number;
    readonly bytes: number;
  }[];
}

/** Reads where the tables are. Changes nothing. */
export function readDistribution(url: string): Promise<DistributionStatus> {
  return withSession(url, "inspect", readTables);
}

async function readTables(client: pg.Client): Promise<DistributionStatus> {
  const nodes = await readNodes(client);
  const { rows: shards } = await client.query<
    Record<"name" | "host", string> & Record<"port" | "count" | "bytes", number>
  >(
    `SELECT table_name::text AS name, nodename AS host, nodeport AS port, count(*)::int AS count,
            coalesce(sum(shard_size), 0)::float8 AS bytes
       FROM citus_shards GROUP BY 1, 2, 3`,
  );
  const kinds = await tableKinds(client);
  const sum = (those: typeof shards, what: "count" | "bytes") => those.reduce((total, shard) => total + shard[what], 0);
  const tables = [
    ...REFERENCE_TABLES.map((name) => ({ name, kind: "reference" as const })),
    ...DISTRIBUTED_TABLES.map((name) => ({ name, kind: "distributed" as const })),
  ].map((table) => {
    const own = shards.filter(({ name }) => name === table.name && kinds.get(name) === table.kind);
    return { ...table, shards: sum(own, "count"), bytes: sum(own, "bytes") };
  });
  return {
    isDistributed: tables.every(({ name, kind }) => kinds.get(name) === kind),
    nodes: nodes.map((node) => {
      const own = shards.filter(({ host, port }) => host === node.host && port === node.port);
      return { ...node, shards: sum(own, "count"), bytes: sum(own, "bytes") };
    }),
    tables,
  };
}
