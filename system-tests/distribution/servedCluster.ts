import type pg from "pg";
import type { Check } from "../../benchmarks/src/results/report.ts";
import { type PublishedWindow, SocialConnect } from "../../packages/sdk/src/index.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { addNode, type CitusCluster } from "../../tools/citus.ts";
import { whileRepeating } from "../actors/whileRepeating.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { runCommand } from "../deployment/runCommand.ts";
import { type CountedRequests, countRequests } from "../operations/countedRequests.ts";
import { type LinkedAccount, openLoad, untilSucceeded } from "../operations/load.ts";

const PROVIDER = "PROVIDER_B";
const ACCOUNTS = 6;
/** Between the calls for an account: the machine also runs the nodes that move shards. */
const PAUSE_MS = 100;

/** Checks with a service that uses the cluster. */
export async function serve(cluster: CitusCluster, growing: readonly string[]): Promise<Check[]> {
  await using deployment = await startDeployment({ databaseUrl: cluster.coordinator.url });
  const { database, operator, processes, url } = deployment;
  const requests = countRequests();
  const applications = [await operator.createApplication(), await operator.createApplication()] as const;
  const loads = applications.map((application, index) => {
    const client = new SocialConnect({ baseUrl: url, key: application.key, fetch: requests.fetch });
    return openLoad({ name: `application-${index}`, deployment, application, client, requests });
  });
  const accounts: LinkedAccount[] = [];
  for (let count = 0; count < ACCOUNTS; count += 1) {
    for (const load of loads.slice(count % 2, (count % 2) + 1)) accounts.push(await load.link(PROVIDER));
  }
  const [read, erased, ...others] = accounts as [LinkedAccount, LinkedAccount, ...LinkedAccount[]];
  // Its refusals are not counted.
  const { key, tenantKeys } = applications[0];
  const scope = { tenantKey: tenantKeys[0], externalSubjectId: read.name };
  const social = new SocialConnect({ baseUrl: url, key });
  const subject = social.forSubject(scope);
  const window = social.recentWindow(60);
  // Only the calls send statements.
  const workers = processes.filter(({ role }) => role === "worker");
  for (const worker of workers) await worker.stop();
  const tasks = await countTasks(database, cluster, { ...read, subject }, window, growing);
  for (const worker of workers) await worker.start();
  const erasure = await eraseAccount(database, cluster, erased);
  return [...tasks, ...erasure, ...(await growUnderLoad(database, cluster, requests, others, window))];
}

/** What each read sends to the workers: a statement that is one task arrives once. */
async function countTasks(
  database: pg.Pool,
  { workers }: CitusCluster,
  { subject, connectionId }: LinkedAccount,
  window: PublishedWindow,
  growing: readonly string[],
): Promise<Check[]> {
  const page = (pageSize: number) => () => subject.content(connectionId, window, { pageSize }).page();
  const idOf = async (text: string) => (await database.query<{ id: string }>(text, [connectionId])).rows[0]?.id;
  const job = await idOf("SELECT id FROM job WHERE connection_id = $1 AND NOT background LIMIT 1");
  const post = await idOf("SELECT provider_content_id AS id FROM content_item WHERE connection_id = $1 LIMIT 1");
  const attempt = await idOf("SELECT id FROM connect_attempt WHERE connection_id = $1");
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    "content, 50 posts": page(50),
    "content, 1 post": page(1),
    contentItem: () => subject.contentItem(connectionId, post ?? ""),
    connection: () => subject.connection(connectionId),
    connections: () => subject.connections().page(),
    syncJob: () => subject.job(connectionId, job ?? crypto.randomUUID()).poll(),
    connectSessionResult: () => subject.connectResult(attempt ?? "").poll(),
    "connectSessionResult, invalid id": () => subject.connectResult("invalid").poll(),
  };
  // Also on the workers.
  await database.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const checks: Check[] = [];
  let reading = 0;
  for (const [name, read] of Object.entries(reads)) {
    for (const { url } of workers) await runStatement(url, "SELECT pg_stat_statements_reset()");
    // An unknown attempt is refused after its statement.
    await read().catch((error: { code?: string }) => {
      if (error.code !== "NOT_FOUND") throw error;
    });
    const sent = new Map<string, number>();
    for (const { url } of workers) {
      const rows = await runStatement<{ query: string; calls: number }>(
        url,
        "SELECT query, calls::int FROM pg_stat_statements WHERE query ~ $1",
        [`\\m(${growing.join("|")})_\\d+\\M`],
      );
      for (const { query, calls } of rows) {
        const statement = query.replaceAll(/_\d+\b/g, "_SHARD");
        sent.set(statement, (sent.get(statement) ?? 0) + calls);
      }
    }
    const isOneTask = [...sent.values()].every((count) => count === 1);
    if (!isOneTask) console.log([...sent].map(([statement, count]) => `  ${count} times: ${statement}`).join("\n"));
    checks.push({ name: `${name}: the statement is one task`, isMet: isOneTask });
    reading += Number(sent.size > 0);
  }
  return [...checks, { name: "eight reads send hot statements", isMet: reading === 8 }];
}

async function eraseAccount(database: pg.Pool, cluster: CitusCluster, account: LinkedAccount): Promise<Check[]> {
  const nodes = [cluster.coordinator, ...cluster.workers].map((node) => node.url);
  // Attempts keep the application's own id of the user, which can equal the handle.
  const { rows: texts } = await database.query<{ text: string }>(
    `SELECT provider_account_id AS text FROM connection WHERE id = $1
     UNION SELECT handle FROM connection WHERE id = $1 AND handle <> external_subject_id
     UNION SELECT provider_content_id FROM content_item WHERE connection_id = $1`,
    [account.connectionId],
  );
  const sought = texts.map(({ text }) => text);
  const search = async () => (await Promise.all(nodes.map((node) => tablesWith(node, sought)))).flat();
  const before = await search();
  await untilSucceeded((await account.subject.disconnect(account.connectionId)).erase);
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

async function growUnderLoad(
  database: pg.Pool,
  cluster: CitusCluster,
  requests: CountedRequests,
  accounts: readonly LinkedAccount[],
  window: PublishedWindow,
): Promise<Check[]> {
  const count = async (text: string, value: unknown) =>
    (await database.query<{ count: number }>(text, [value])).rows[0]?.count ?? 0;
  const from = requests.total();
  const { rows } = await database.query<{ id: string }>("SELECT application_id AS id FROM connection WHERE id = $1", [
    accounts[0]?.connectionId,
  ]);
  // Calls and scans, one after another for each account. The counter of requests has the failures.
  const users = accounts.map(({ subject, connectionId }) => async () => {
    const calls = [subject.connection(connectionId), subject.content(connectionId, window).page()];
    await Promise.allSettled([...calls, subject.refresh(connectionId).start()]);
  });
  const grow = async () => {
    const { port } = await cluster.startNode();
    await addNode(cluster.coordinator, port);
    const beforeMoves = requests.total();
    const moved = await runCommand(cluster.coordinator.url, ["distribute", "--rebalance"]);
    await database.query(
      "SELECT isolate_tenant_to_new_shard('connection', $1::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')",
      [rows[0]?.id],
    );
    return { port, moved, duringMoves: requests.total() - beforeMoves };
  };
  const { port, moved, duringMoves } = await whileRepeating(users, grow, PAUSE_MS);
  const shards = await count(
    "SELECT count(*)::int AS count FROM citus_shards WHERE nodeport = $1 AND citus_table_type = 'distributed'",
    port,
  );
  const isolated = await count(
    `SELECT count(*)::int AS count FROM pg_dist_shard
      WHERE shardid = get_shard_id_for_distribution_column('connection', $1::uuid) AND shardminvalue = shardmaxvalue`,
    rows[0]?.id,
  );
  const failed = await count(
    "SELECT count(*)::int AS count FROM job WHERE connection_id = ANY ($1::uuid[]) AND status = 'FAILED'",
    accounts.map(({ connectionId }) => connectionId),
  );
  const { failures } = requests;
  console.log(`  ${requests.total() - from} calls under load, ${duringMoves} of them while shards moved`);
  for (const failure of failures) console.log(`  failed: ${failure}`);
  return [
    { name: "shards moved to the added worker", isMet: moved === 0 && shards > 0 },
    { name: "an application has its own shard", isMet: isolated === 1 },
    { name: "calls ran while shards moved", isMet: duringMoves > 100 },
    { name: "no call failed", isMet: failures.length === 0 },
    { name: "no scan failed", isMet: failed === 0 },
  ];
}

/** Data that outlives an account: the list of testers names accounts that may connect. */
const ALLOWED_REMAINDER = /^tester(?:_\d+)?$/;

/** The tables and shards of a node whose rows contain one of the strings. */
async function tablesWith(url: string, strings: readonly string[]): Promise<string[]> {
  // Citus shows shards only to programs with such a name.
  const shown = new URL(url);
  shown.searchParams.set("options", "-c citus.show_shards_for_app_name_prefixes=*");
  const tables = await runStatement<Record<"schema" | "name", string>>(
    shown.href,
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname IN ('public', 'pgboss')
        AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid) ORDER BY 1, 2`,
  );
  const searched = tables.filter(({ name }) => !ALLOWED_REMAINDER.test(name));
  if (searched.length === 0) throw new Error("The node has no table.");
  const text = searched
    .map(
      ({ schema, name }) =>
        `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM "${schema}"."${name}" AS t, unnest($1::text[]) AS sought
          WHERE position(sought IN t::text) > 0)`,
    )
    .join(" UNION ALL ");
  return (await runStatement<{ name: string }>(shown.href, text, [strings])).map(({ name }) => name);
}
