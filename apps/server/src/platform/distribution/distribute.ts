import type pg from "pg";
import { createEnumCasts, enumsWithoutCast } from "../database/enumCasts.ts";
import { pendingMigrations } from "../database/migrations.ts";
import { withMigrationTurn } from "../database/migrationTurn.ts";
import { inTransaction } from "../database/session.ts";
import { requireNoTimeouts, tableKinds } from "./cluster.ts";
import { type Address, planCoordinator, type Step } from "./coordinator.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN, REFERENCE_TABLES } from "./tables.ts";

export interface DistributeOptions {
  /** Only reports what it would do. */
  readonly isDryRun?: boolean;
  /** Under which address the workers reach the coordinator, if the cluster does not know it yet. */
  readonly coordinator?: Address;
  /** Shards of each table. Cannot be changed later, except that single applications can be isolated. */
  readonly shards?: number;
  /** Receives a line for each step. */
  readonly onProgress?: (line: string) => void;
}

const DEFAULT_SHARDS = 32;

/** How long a step waits for a lock of another program. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";
const PERMISSION_DENIED = "42501";

/**
 * Foreign keys that were dropped until all their tables are distributed. A step that drops keys stores them here in the same
 * transaction, so that another run can restore them.
 */
const STORE = "distribution_foreign_key";

/**
 * Distributes the tables of a database over the nodes of its Citus cluster, with the rows that they contain. Each step is a
 * transaction, and steps that are done are skipped, so a run that was killed is continued by the next. No process of the service may
 * run: its statements join tables, which Citus does not support until all of them are distributed.
 *
 * @returns the number of steps, those of the other runs not included
 */
export async function distribute(url: string, options: DistributeOptions = {}): Promise<number> {
  const { onProgress = () => undefined } = options;
  const run = async (client: pg.Client) => {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const steps = await planDistribution(client, url, options);
    for (const [index, { title, run: runStep }] of steps.entries()) {
      onProgress(`[${index + 1}/${steps.length}] ${title}`);
      if (options.isDryRun !== true) await runStep().catch((error: unknown) => explain(title, error));
    }
    return steps.length;
  };
  return withMigrationTurn(url, run, onProgress);
}

function explain(title: string, error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  const remedy =
    code === LOCK_NOT_AVAILABLE
      ? "; another program uses the table: see pg_stat_activity, then run the command again"
      : code === PERMISSION_DENIED
        ? "; run the command with a superuser in DATABASE_DIRECT_URL or DATABASE_URL"
        : "";
  throw new Error(`${title}: ${message}${remedy}`, { cause: error });
}

async function planDistribution(client: pg.Client, url: string, options: DistributeOptions): Promise<readonly Step[]> {
  const nodeSteps = await planCoordinator(client, options.coordinator);
  const pending = await pendingMigrations(url);
  if (pending.length > 0) {
    throw new Error(
      `the database lacks ${pending.length} migrations of this version; run \`social-connect migrate\` first`,
    );
  }
  await requireOwner(client);
  const tableSteps = await planTables(client, options.shards ?? DEFAULT_SHARDS);
  if (tableSteps.length > 0) {
    await requireStoppedService(client);
    await requireNoTimeouts(client);
  } else await requireSameShards(client, options.shards);
  return [...nodeSteps, ...tableSteps, ...(await planCasts(client)), ...(await planSetting(client))];
}

async function requireOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"name" | "owner", string>>(
    `SELECT relname AS name, pg_get_userbyid(relowner) AS owner FROM pg_class
      WHERE oid = ANY ($1::regclass[]) AND NOT pg_has_role(relowner, 'USAGE') LIMIT 1`,
    [[...REFERENCE_TABLES, ...DISTRIBUTED_TABLES]],
  );
  const [foreign] = rows;
  if (foreign === undefined) return;
  throw new Error(`the table ${foreign.name} belongs to ${foreign.owner}; run the command with that user`);
}

async function requireStoppedService(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^social-connect (api|worker|both)' LIMIT 1`,
  );
  const [running] = rows;
  if (running === undefined) return;
  throw new Error(
    `the service still runs (${running.name}); stop all its processes, because its statements fail while only a part of the tables is distributed. If they are stopped, a pooler keeps their connections: reconnect it (PgBouncer: RECONNECT)`,
  );
}

/** Tables that are distributed keep their number of shards. */
async function requireSameShards(client: pg.Client, shards: number | undefined): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT shard_count::int AS count FROM citus_tables WHERE table_name = $1::regclass",
    [DISTRIBUTED_TABLES[0]],
  );
  const count = rows[0]?.count;
  if (shards === undefined || shards === count) return;
  throw new Error(`the tables have ${count} shards already; their number cannot be changed`);
}

async function planTables(client: pg.Client, shards: number): Promise<readonly Step[]> {
  const kinds = await tableKinds(client);
  const references = REFERENCE_TABLES.filter((table) => kinds.get(table) !== "reference");
  const distributed = DISTRIBUTED_TABLES.filter((table) => kinds.get(table) !== "distributed");
  const isInterrupted = await hasStore(client);
  if (references.length + distributed.length === 0 && !isInterrupted) return [];
  const counts = await estimateRows(client);
  return [
    { title: "store and drop foreign keys until all tables are distributed", run: () => dropForeignKeys(client) },
    ...references.map((table) => ({
      title: `copy ${table} to every node`,
      run: () => client.query("SELECT create_reference_table($1)", [table]),
    })),
    ...distributed.map((table) => ({
      title: `distribute ${table} (about ${counts.get(table) ?? 0} rows)`,
      run: () => distributeTable(client, table, shards),
    })),
    { title: "restore and validate foreign keys", run: () => restoreForeignKeys(client) },
  ];
}

/** With the others of the first table, so that an application's rows of all tables are on one node. */
async function distributeTable(client: pg.Client, table: string, shards: number): Promise<void> {
  const [first] = DISTRIBUTED_TABLES;
  await (table === first
    ? client.query("SELECT create_distributed_table($1, $2, colocate_with => 'none', shard_count => $3)", [
        table,
        DISTRIBUTION_COLUMN,
        shards,
      ])
    : client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
        table,
        DISTRIBUTION_COLUMN,
        first,
      ]));
}

async function estimateRows(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; count: number }>(
    "SELECT relname AS name, greatest(reltuples, 0)::float8 AS count FROM pg_class WHERE oid = ANY ($1::regclass[])",
    [[...DISTRIBUTED_TABLES]],
  );
  return new Map(rows.map(({ name, count }) => [name, count.toLocaleString("en")]));
}

async function hasStore(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [STORE]);
  return rows.length > 0;
}

/** Drops the keys of the tables, and the keys that refer to the tables. */
async function dropForeignKeys(client: pg.Client): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`CREATE TABLE IF NOT EXISTS ${STORE} (
      table_name text, constraint_name text, definition text, PRIMARY KEY (table_name, constraint_name))`);
    const { rows } = await client.query<Record<"table" | "name", string>>(
      `INSERT INTO ${STORE}
       SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
          AND conparentid = 0
       ON CONFLICT (table_name, constraint_name) DO UPDATE SET definition = excluded.definition
       RETURNING table_name AS "table", constraint_name AS name`,
      [[...REFERENCE_TABLES, ...DISTRIBUTED_TABLES]],
    );
    for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  });
}

/**
 * Citus supports no foreign key that sets a column to null when its key contains the distribution column. Such a key is omitted:
 * what refers to a deleted row there is the same as what refers to none.
 */
const UNSUPPORTED = new RegExp(`\\b${DISTRIBUTION_COLUMN}\\b.* ON DELETE SET NULL`);

async function restoreForeignKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"table" | "name" | "definition", string>>(
    `SELECT table_name AS "table", constraint_name AS name, definition FROM ${STORE} ORDER BY 1, 2`,
  );
  for (const { table, name, definition } of rows) {
    await inTransaction(client, async () => {
      if (!UNSUPPORTED.test(definition))
        await client.query(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`);
      await client.query(`DELETE FROM ${STORE} WHERE table_name = $1 AND constraint_name = $2`, [table, name]);
    });
  }
  await client.query(`DROP TABLE ${STORE}`);
}

async function planCasts(client: pg.Client): Promise<readonly Step[]> {
  const enums = await enumsWithoutCast(client);
  if (enums.length === 0) return [];
  return [{ title: `let RETURNING read ${enums.length} enums as text`, run: () => createEnumCasts(client) }];
}

/**
 * A transaction that reads several shards and then changes a reference table, as some admin operations do, must not have
 * read the shards in parallel.
 */
async function planSetting(client: pg.Client): Promise<readonly Step[]> {
  const { rows } = await client.query<{ mode: string; name: string }>(
    `SELECT current_setting('citus.multi_shard_modify_mode') AS mode, quote_ident(current_database()) AS name`,
  );
  const [current] = rows;
  if (current === undefined || current.mode === "sequential") return [];
  return [
    {
      title: "let statements for several shards use one connection to each node",
      run: () => client.query(`ALTER DATABASE ${current.name} SET citus.multi_shard_modify_mode = 'sequential'`),
    },
  ];
}
