/**
 * Checks on a Citus cluster what the conformance suite does not: `pnpm check:citus`
 *
 * - `social-connect distribute` on a filled database, killed and run again
 * - each hot statement is one task
 * - after an erasure no node contains data of the account
 * - a worker is added, shards are moved to it and an application is isolated, while calls and scans run, without a failed call
 * - migrations after the distribution
 *
 * Exits with 1 if a check fails. Skipped if no PostgreSQL with the extension is installed.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { operate } from "../../apps/server/src/composition/operatorAccess.ts";
import { readSettings } from "../../apps/server/src/config/settings.ts";
import { planAddresses } from "../../apps/server/src/dev/addresses.ts";
import { startDev } from "../../apps/server/src/dev/dev.ts";
import { readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { authenticate } from "../../apps/server/src/modules/applications/authenticate.ts";
import { readConnectResult } from "../../apps/server/src/modules/connect/readConnectResult.ts";
import { listConnections } from "../../apps/server/src/modules/connections/listConnections.ts";
import { readConnection } from "../../apps/server/src/modules/connections/readConnection.ts";
import { readContent } from "../../apps/server/src/modules/content/readContent.ts";
import { readContentItem } from "../../apps/server/src/modules/content/readContentItem.ts";
import { readSyncJob } from "../../apps/server/src/modules/jobs/readSyncJob.ts";
import type { Service } from "../../apps/server/src/modules/service.ts";
import { DISTRIBUTED_TABLES } from "../../apps/server/src/platform/distribution/tables.ts";
import { applyMigrations, MIGRATIONS_FOLDER } from "../../apps/server/src/platform/migrations.ts";
import { reservePorts } from "../../apps/server/src/platform/ports.ts";
import type { ReadStatement } from "../../apps/server/src/platform/readConnections.ts";
import { Secret } from "../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import { type Check, reportChecks } from "../../benchmarks/src/results/checks.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { addNode, type CitusCluster, findCitus, NO_CITUS, withCitus } from "../citus.ts";
import { Client } from "../faults/client.ts";
import { Journal } from "../faults/journal.ts";
import { connectAccount, type DemoAccount, erase, readsOf, refresh } from "./demoAccounts.ts";
import { fillDatabase } from "./filledDatabase.ts";
import { tablesWith } from "./traces.ts";

const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const SERVER = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const ACCOUNTS = 6;
/** Between the calls for an account: the machine also runs the nodes that move shards. */
const PAUSE_MS = 100;

async function main(): Promise<number> {
  if (findCitus() === null) {
    console.log(`SKIPPED: the checks on Citus, because ${NO_CITUS}`);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), "social-connect-citus-"));
  try {
    return await withCitus({ workers: 2 }, async (cluster) => {
      const checks = [
        ...(await distributeFilled(cluster)),
        ...(await serve(cluster, join(folder, "data"))),
        ...(await migrateDistributed(cluster, join(folder, "migrations"))),
      ];
      return reportChecks(checks) ? 0 : 1;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command of the service until it ends, or until it prints a line. */
async function command(url: string, parameters: readonly string[], killAt?: RegExp): Promise<number | null> {
  const env = { ...process.env, DATABASE_URL: url, DATABASE_TLS: "off" };
  const child = spawn(process.execPath, [...FLAGS, SERVER, ...parameters], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(`  ${line}`);
    if (killAt?.test(line) === true) child.kill("SIGKILL");
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

async function distributeFilled({ coordinator: { url } }: CitusCluster): Promise<Check[]> {
  await applyMigrations(url);
  await fillDatabase(url);
  const before = await contentOf(url);
  const early = await command(url, ["distribute", "--rebalance"]);
  await runStatement(url, "ALTER ROLE CURRENT_USER SET statement_timeout = '1h'");
  const limited = await command(url, ["distribute"]);
  await runStatement(url, "ALTER ROLE CURRENT_USER RESET statement_timeout");
  const moved = await command(url, ["distribute", "--coordinator", "127.0.0.1:1"]);
  const unchanged = await runStatement(url, "SELECT 1 FROM citus_tables");
  const killed = await command(url, ["distribute"], /distribute content_item/);
  const between = await contentOf(url);
  const finished = await command(url, ["distribute"]);
  const after = await contentOf(url);
  const again = await command(url, ["distribute", "--dry-run"]);
  const reshard = await command(url, ["distribute", "--shards", "16"]);
  const kinds = await runStatement<{ name: string }>(
    url,
    "SELECT table_name::text AS name FROM citus_tables WHERE citus_table_type = 'distributed'",
  );
  const keys = await runStatement<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_constraint
      WHERE contype = 'f' AND conrelid = ANY ($1::regclass[]) AND connamespace = 'public'::regnamespace`,
    [[...DISTRIBUTED_TABLES]],
  );
  return [
    { name: "tables that are not distributed are not rebalanced", isMet: early === 1 },
    {
      name: "timeouts on the workers and another address of the coordinator are refused before anything changes",
      isMet: limited === 1 && moved === 1 && unchanged.length === 0,
    },
    { name: "distribute was killed and then finished by a second run", isMet: killed === null && finished === 0 },
    { name: "another number of shards is refused", isMet: reshard === 1 },
    { name: "a run after that has nothing to do", isMet: again === 0 },
    {
      name: "no row was lost or changed, also while it was interrupted",
      isMet: before === between && before === after,
    },
    { name: "all tables that grow are distributed", isMet: kinds.length === DISTRIBUTED_TABLES.length },
    { name: "foreign keys are restored", isMet: (keys[0]?.count ?? 0) >= DISTRIBUTED_TABLES.length },
  ];
}

/** Number and hash of the rows of each table. */
async function contentOf(url: string): Promise<string> {
  const contents: string[] = [];
  for (const table of DISTRIBUTED_TABLES) {
    const [row] = await runStatement<{ content: string }>(
      url,
      `SELECT concat(count(*), ' ', sum(hash)) AS content FROM (SELECT hashtext(t::text)::bigint AS hash FROM ${table} AS t) hashes`,
    );
    contents.push(`${table} ${row?.content}`);
  }
  return contents.join(", ");
}

/** What migrations of later releases do, in the form that the linter for migrations requires. */
const LATER_MIGRATIONS = {
  "29990101000000_column": `ALTER TABLE "content_item" ADD COLUMN "later" text;`,
  "29990101000001_column_with_default": `ALTER TABLE "connection" ADD COLUMN "later" integer NOT NULL DEFAULT 7;`,
  "29990101000002_index": `-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "content_item_later_idx" ON "content_item"("application_id", "later");`,
  "29990101000003_check": `ALTER TABLE "content_item" ADD CONSTRAINT "content_item_later_check" CHECK (later <> '') NOT VALID;`,
  "29990101000004_check_valid": `ALTER TABLE "content_item" VALIDATE CONSTRAINT "content_item_later_check";`,
  "29990101000005_table": `CREATE TABLE "later" ("id" uuid PRIMARY KEY);`,
  "29990101000006_enum": `ALTER TYPE "job_kind" ADD VALUE 'LATER';`,
  "29990101000007_drop_index": `-- no transaction\nDROP INDEX CONCURRENTLY IF EXISTS "content_item_later_idx";`,
  "29990101000008_drop_columns": `ALTER TABLE "content_item" DROP COLUMN "later";`,
  "29990101000009_enum_type": `CREATE TYPE "later_kind" AS ENUM ('A', 'B');`,
};

async function migrateDistributed({ coordinator: { url } }: CitusCluster, folder: string): Promise<Check[]> {
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(LATER_MIGRATIONS)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "migration.sql"), sql);
  }
  const applied = await applyMigrations(url, folder).catch((error: Error) => {
    console.log(`  ${error.message}`);
    return [];
  });
  const shards = await runStatement<{ values: string }>(
    url,
    `SELECT DISTINCT result AS values FROM run_command_on_shards('connection', 'SELECT coalesce(min(later), 7) FROM %s')`,
  );
  const [cast] = await runStatement<{ count: number }>(
    url,
    "SELECT count(*)::int AS count FROM pg_cast WHERE castsource = 'later_kind'::regtype AND casttarget = 'text'::regtype",
  );
  return [
    { name: "an enum of a later migration has the cast that RETURNING needs", isMet: cast?.count === 1 },
    {
      name: "migrations change all shards of a distributed database",
      isMet:
        applied.length === Object.keys(LATER_MIGRATIONS).length && shards.length === 1 && shards[0]?.values === "7",
    },
  ];
}

/** Checks with a service that uses the cluster. */
async function serve(cluster: CitusCluster, dataFolder: string): Promise<Check[]> {
  const databaseUrl = cluster.coordinator.url;
  const firstPort = await reservePorts(Object.keys(planPorts(1)).length);
  const { signal } = new AbortController();
  const options = {
    firstPort,
    dataFolder,
    hasMovableClock: false,
    hasPanel: false,
    isVerbose: false,
    databaseUrl,
    signal,
  };
  const setup = await startDev(options);
  try {
    const addresses = planAddresses(planPorts(firstPort));
    const secrets = await readDevSecrets(dataFolder);
    const client = new Client(addresses, secrets, new Journal(dataFolder));
    const place = { simulatorUrl: addresses.simulator, databaseUrl };
    const accounts: DemoAccount[] = [];
    for (let count = 0; count < ACCOUNTS; count += 1) {
      accounts.push(await connectAccount(client, place, count % 2 === 0 ? "demo" : "other", `linked-${count}`));
    }
    return [
      ...(await explainHotStatements(databaseUrl, client, accounts[0] as DemoAccount)),
      ...(await eraseAccount(cluster, client, accounts[1] as DemoAccount)),
      ...(await growUnderLoad(cluster, client, accounts.slice(2))),
    ];
  } finally {
    await setup.stop();
  }
}

async function explainHotStatements(url: string, client: Client, account: DemoAccount): Promise<Check[]> {
  const { key } = client.applications[account.application];
  const { scope, connectionId } = account;
  const statements: { readonly name: string; readonly statement: ReadStatement }[] = [];
  const settings = readSettings(
    { DATABASE_URL: url, DATABASE_TLS: "off" },
    { role: "both", needsNoEncryptionKey: true },
  );
  await operate(settings, async (service) => {
    const caller = await authenticate(service, [`Bearer ${key}`]);
    const [job] = await runStatement<{ id: string }>(
      url,
      "SELECT id FROM job WHERE connection_id = $1 AND NOT background LIMIT 1",
      [connectionId],
    );
    const [post] = await runStatement<{ id: string }>(
      url,
      "SELECT provider_content_id AS id FROM content_item WHERE connection_id = $1 LIMIT 1",
      [connectionId],
    );
    const [attempt] = await runStatement<{ id: string }>(
      url,
      "SELECT id FROM connect_attempt WHERE connection_id = $1",
      [connectionId],
    );
    // For the cursor of the next page.
    const secretBox = createSecretBox([{ id: "check", key: new Secret(randomBytes(32).toString("base64")) }]);
    const publishedBefore = await service.clock.now();
    const publishedAfter = new Date(publishedBefore.getTime() - 60 * 86_400_000);
    const page = (first: number) => (recording: Service) =>
      readContent(recording, caller, scope, connectionId, { publishedAfter, publishedBefore, first, after: null });
    const reads: Readonly<Record<string, (recording: Service) => Promise<unknown>>> = {
      "content, 50 posts": page(50),
      "content, 1 post": page(1),
      contentItem: (recording) => readContentItem(recording, caller, scope, connectionId, post?.id ?? ""),
      connection: (recording) => readConnection(recording, caller, scope, connectionId),
      connections: (recording) => listConnections(recording, caller, scope, { first: 20, after: null }),
      syncJob: (recording) =>
        readSyncJob(recording, caller, { scope, connectionId, id: job?.id ?? crypto.randomUUID() }),
      connectSessionResult: (recording) => readConnectResult(recording, caller, scope, attempt?.id ?? ""),
      "connectSessionResult, invalid id": (recording) => readConnectResult(recording, caller, scope, "invalid"),
    };
    for (const [name, read] of Object.entries(reads)) {
      const recording: Service = {
        ...service,
        secretBox,
        hotReads: {
          query: (statement) => {
            statements.push({ name, statement });
            return service.hotReads.query(statement);
          },
        },
      };
      // An unknown job or attempt is refused after its statement.
      await read(recording).catch((error: { code?: string }) => {
        if (error.code !== "NOT_FOUND") throw error;
      });
    }
  });
  const checks: Check[] = [];
  for (const { name, statement } of statements) {
    const rows = await runStatement<{ "QUERY PLAN": string }>(url, `EXPLAIN ${statement.text}`, statement.values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    const isOneTask = /Task Count: 1\b/.test(plan);
    if (!isOneTask) console.log(plan);
    checks.push({ name: `${name}: the statement is one task`, isMet: isOneTask });
  }
  checks.push({
    name: "eight reads send hot statements",
    isMet: new Set(statements.map(({ name }) => name)).size === 8,
  });
  return checks;
}

async function eraseAccount(cluster: CitusCluster, client: Client, account: DemoAccount): Promise<Check[]> {
  const { url } = cluster.coordinator;
  const nodes = [cluster.coordinator, ...cluster.workers].map((node) => node.url);
  const texts = await runStatement<{ text: string }>(
    url,
    `SELECT provider_account_id AS text FROM connection WHERE id = $1
     UNION SELECT handle FROM connection WHERE id = $1 AND handle IS NOT NULL
     UNION SELECT provider_content_id FROM content_item WHERE connection_id = $1`,
    [account.connectionId],
  );
  const sought = texts.map(({ text }) => text);
  const search = async () => (await Promise.all(nodes.map((node) => tablesWith(node, sought)))).flat();
  const before = await search();
  await erase(client, account);
  const after = await search();
  console.log(
    `  an account of ${sought.length} strings was in ${before.join(", ")}; after the erasure in ${after.join(", ") || "no table"}`,
  );
  return [
    {
      name: "control: the search finds the account and its posts in shards",
      isMet: /connection_\d/.test(before.join()) && /content_item_\d/.test(before.join()),
    },
    { name: "after an erasure no node contains data of the account", isMet: after.length === 0 },
  ];
}

/** Calls and scans, one after another for each account, until they are stopped. */
function startLoad(client: Client, accounts: readonly DemoAccount[]) {
  let isStopped = false;
  const counts = { calls: 0, failures: [] as string[] };
  const runs = accounts.map(async (account) => {
    for (; !isStopped; await setTimeout(PAUSE_MS)) {
      const answers = await Promise.all([...readsOf(client, account), refresh(client, account)]);
      for (const answer of answers) {
        counts.calls += 1;
        if (answer.kind !== "acknowledged") counts.failures.push(answer.kind === "refused" ? answer.code : "no answer");
      }
    }
  });
  return {
    counts,
    stop: async () => {
      isStopped = true;
      await Promise.all(runs);
    },
  };
}

async function growUnderLoad(
  cluster: CitusCluster,
  client: Client,
  accounts: readonly DemoAccount[],
): Promise<Check[]> {
  const { url } = cluster.coordinator;
  const load = startLoad(client, accounts);
  const node = await cluster.startNode();
  await addNode(cluster.coordinator, node.port);
  const beforeMoves = load.counts.calls;
  const moved = await command(url, ["distribute", "--rebalance"]);
  const [application] = await runStatement<{ id: string }>(
    url,
    "SELECT application_id AS id FROM connection WHERE id = $1",
    [accounts[0]?.connectionId],
  );
  await runStatement(
    url,
    "SELECT isolate_tenant_to_new_shard('connection', $1::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')",
    [application?.id],
  );
  const duringMoves = load.counts.calls - beforeMoves;
  await load.stop();
  const [shards] = await runStatement<{ count: number }>(
    url,
    "SELECT count(*)::int AS count FROM citus_shards WHERE nodeport = $1 AND citus_table_type = 'distributed'",
    [node.port],
  );
  const [isolated] = await runStatement<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_dist_shard
      WHERE shardid = get_shard_id_for_distribution_column('connection', $1::uuid) AND shardminvalue = shardmaxvalue`,
    [application?.id],
  );
  const failed = await runStatement<{ code: string; count: number }>(
    url,
    `SELECT error_code AS code, count(*)::int AS count FROM job WHERE connection_id = ANY ($1::uuid[]) AND status = 'FAILED' GROUP BY 1`,
    [accounts.map(({ connectionId }) => connectionId)],
  );
  const { calls, failures } = load.counts;
  console.log(
    `  ${calls} calls under load, ${duringMoves} of them while shards moved; failed: ${[...new Set(failures)].join(", ") || "none"}`,
  );
  return [
    { name: "shards moved to the added worker", isMet: moved === 0 && (shards?.count ?? 0) > 0 },
    { name: "an application has its own shard", isMet: isolated?.count === 1 },
    { name: "calls ran while shards moved", isMet: duringMoves > 100 },
    { name: "no call failed", isMet: failures.length === 0 },
    { name: "no scan failed", isMet: failed.length === 0 },
  ];
}

process.exitCode = await main();
process.exit();
