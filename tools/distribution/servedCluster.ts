import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { operate } from "../../apps/server/src/composition/operatorAccess.ts";
import { readSettings } from "../../apps/server/src/config/settings.ts";
import { planAddresses } from "../../apps/server/src/dev/addresses.ts";
import { readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import { planPorts } from "../../apps/server/src/dev/ports.ts";
import { authenticate } from "../../apps/server/src/modules/applications/checkKey.ts";
import { readConnectResult } from "../../apps/server/src/modules/connect/readConnectResult.ts";
import { listConnections } from "../../apps/server/src/modules/connections/listConnections.ts";
import { readConnection } from "../../apps/server/src/modules/connections/readConnection.ts";
import { readContent, readContentItem } from "../../apps/server/src/modules/content/readContent.ts";
import { readSyncJob } from "../../apps/server/src/modules/jobs/readSyncJob.ts";
import type { Service } from "../../apps/server/src/modules/service.ts";
import { openDatabase } from "../../apps/server/src/platform/database.ts";
import type { ReadStatement } from "../../apps/server/src/platform/readConnections.ts";
import { Secret } from "../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../apps/server/src/platform/secretBox.ts";
import { Shutdown } from "../../apps/server/src/platform/shutdown.ts";
import type { Check } from "../../benchmarks/src/results/checks.ts";
import { SocialConnect } from "../../packages/sdk/src/index.ts";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { applicationsOf, type NewAccount, openAccount } from "../../packages/testkit/src/harness/deployment.ts";
import { SERVICE_COMMAND } from "../../packages/testkit/src/harness/startedProgram.ts";
import { startTemporaryServer } from "../../packages/testkit/src/harness/temporaryServer.ts";
import { CountedRequests } from "../../system-tests/operations/countedRequests.ts";
import { type LinkedAccount, Load, untilSucceeded } from "../../system-tests/operations/load.ts";
import { addNode, type CitusCluster } from "../citus.ts";
import { tablesWith } from "./traces.ts";

const PROVIDER = "PROVIDER_B";
const ACCOUNTS = 6;
/** Between the calls for an account: the machine also runs the nodes that move shards. */
const PAUSE_MS = 100;
const WINDOW_MS = 60 * 86_400_000;

/** A linked account, and what a statement for it is called with. */
interface ServedAccount extends LinkedAccount {
  readonly key: string;
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
}

/** Runs a command of the service until it ends, or until it prints a line. */
export async function runCommand(url: string, parameters: readonly string[], killAt?: RegExp): Promise<number | null> {
  const [program, ...flags] = SERVICE_COMMAND;
  const env = { ...process.env, DATABASE_URL: url, DATABASE_TLS: "off" };
  const child = spawn(program, [...flags, ...parameters], { env, stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(`  ${line}`);
    if (killAt?.test(line) === true) child.kill("SIGKILL");
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

/** Checks with a service that uses the cluster. */
export async function serve(cluster: CitusCluster): Promise<Check[]> {
  const databaseUrl = cluster.coordinator.url;
  const shutdown = new Shutdown();
  try {
    const { dataFolder, firstPort, stop } = await startTemporaryServer({ databaseUrl, hasMovableClock: false });
    shutdown.add(stop);
    const database = openDatabase({ url: databaseUrl, poolSize: 1 });
    shutdown.add(() => database.close());
    const addresses = planAddresses(planPorts(firstPort));
    const applications = applicationsOf(addresses, await readDevSecrets(dataFolder));
    const requests = new CountedRequests();
    const loads = Object.entries(applications).map(([name, application]) => {
      const client = new SocialConnect({ baseUrl: addresses.server, key: application.key, fetch: requests.fetch });
      const access = { ...application, webOrigin: application.origin };
      const open = (account: NewAccount) => openAccount({ addresses, database }, account);
      const load = new Load({ name, client, application: access, requests, openAccount: open });
      return { application, load };
    });
    const accounts: ServedAccount[] = [];
    for (let count = 0; count < ACCOUNTS; count += 1) {
      for (const { application, load } of loads.slice(count % 2, (count % 2) + 1)) {
        const account = await load.link(PROVIDER);
        const scope = { tenantKey: application.tenantKeys[0], externalSubjectId: account.name };
        accounts.push({ ...account, scope, key: application.key });
      }
    }
    const [explained, erased, ...others] = accounts as [ServedAccount, ServedAccount, ...ServedAccount[]];
    return [
      ...(await explainHotStatements(databaseUrl, explained)),
      ...(await eraseAccount(cluster, erased)),
      ...(await growUnderLoad(cluster, requests, others)),
    ];
  } finally {
    await shutdown.run(console.error);
  }
}

async function explainHotStatements(url: string, { scope, connectionId, key }: ServedAccount): Promise<Check[]> {
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

async function eraseAccount(cluster: CitusCluster, account: ServedAccount): Promise<Check[]> {
  const { url } = cluster.coordinator;
  const nodes = [cluster.coordinator, ...cluster.workers].map((node) => node.url);
  // Attempts keep the application's own id of the user, which can equal the handle.
  const texts = await runStatement<{ text: string }>(
    url,
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

/** Calls and scans, one after another for each account, until they are stopped. */
function startLoad(accounts: readonly ServedAccount[]) {
  let isStopped = false;
  const callFor = async ({ subject, connectionId }: ServedAccount) => {
    const publishedBefore = new Date();
    const publishedAfter = new Date(publishedBefore.getTime() - WINDOW_MS);
    await Promise.all([
      subject.connection(connectionId),
      subject.content(connectionId, { publishedAfter, publishedBefore }).page(),
      subject.refresh(connectionId).start(),
    ]);
  };
  const runs = accounts.map(async (account) => {
    // The counter of requests has the failures.
    for (; !isStopped; await setTimeout(PAUSE_MS)) await callFor(account).catch(() => undefined);
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(runs);
    },
  };
}

async function growUnderLoad(
  cluster: CitusCluster,
  requests: CountedRequests,
  accounts: readonly ServedAccount[],
): Promise<Check[]> {
  const { url } = cluster.coordinator;
  const load = startLoad(accounts);
  const from = requests.total;
  const node = await cluster.startNode();
  await addNode(cluster.coordinator, node.port);
  const beforeMoves = requests.total;
  const moved = await runCommand(url, ["distribute", "--rebalance"]);
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
  const duringMoves = requests.total - beforeMoves;
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
  const { failures } = requests;
  console.log(`  ${requests.total - from} calls under load, ${duringMoves} of them while shards moved`);
  for (const failure of failures) console.log(`  failed: ${failure}`);
  return [
    { name: "shards moved to the added worker", isMet: moved === 0 && (shards?.count ?? 0) > 0 },
    { name: "an application has its own shard", isMet: isolated?.count === 1 },
    { name: "calls ran while shards moved", isMet: duringMoves > 100 },
    { name: "no call failed", isMet: failures.length === 0 },
    { name: "no scan failed", isMet: failed.length === 0 },
  ];
}
