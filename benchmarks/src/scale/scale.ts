/** Reads on a full database; see the README. `pnpm benchmark scale [--largest] [--connections N] [--calls N]` */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type pg from "pg";
import { type Deployment, startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { graphql, runWithoutErrors, type Sent } from "../load/load.ts";
import { readsOf } from "../reads/queries.ts";
import { type Check, describeMachine, median, printHead, printRow, quantile, reportChecks } from "../results/report.ts";
import { addPosts, CLIENT, fillConnections, POSTS_PER_ACCOUNT, TENANT } from "./fill.ts";

const SMALLEST = 10_000;
/** Accounts that are read. */
const SAMPLES = 40;
const MOST_TIMES = 1.2;
/** After so long without a call, PostgreSQL adds what its sessions counted. */
const COUNTED_AFTER_MS = 11_000;
const GROWING = ["connection", "connect_attempt", "content_item", "job", "provider_grant"];

type Account = Readonly<Record<"connectionId" | "externalSubjectId" | "jobId" | "sessionId", string>>;

async function main(sizes: readonly number[], connections: number, calls: number): Promise<boolean> {
  console.log(describeMachine());
  const settings = { NODE_ENV: "production", LOG_LEVEL: "silent" };
  await using deployment = await startDeployment({ roles: ["api"], settings });
  const client = await deployment.database.connect();
  try {
    const beganMs = performance.now();
    const key = await fillConnections(deployment, client, connections);
    console.log(`${connections} connections: filled in ${Math.round((performance.now() - beganMs) / 1_000)} s\n`);
    const checks: Check[] = [];
    const smallest = new Map<string, number>();
    printHead("read", "posts", "pages of a call", "times those of the smallest", "p50", "p99");
    let filled = 0;
    for (const posts of sizes) {
      const accounts = posts / POSTS_PER_ACCOUNT;
      await addPosts(client, filled, accounts - filled);
      filled = accounts;
      await client.query("VACUUM (ANALYZE)");
      for (const [name, requests] of await hotReads(client, key, accounts)) {
        const { pages, p50, p99 } = await measure(client, deployment, requests, calls);
        const times = pages / (smallest.get(name) ?? pages);
        if (!smallest.has(name)) smallest.set(name, pages);
        const cells = [pages.toFixed(1), times.toFixed(2), `${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`];
        printRow(name, posts.toLocaleString("en"), ...cells);
        checks.push({
          name: `${name}: at most ${MOST_TIMES} times the pages, on ${posts} posts`,
          isMet: times <= MOST_TIMES,
        });
      }
    }
    console.log();
    return reportChecks([...checks, ...(await measureSupport(client, deployment))]);
  } finally {
    client.release();
  }
}

/** Requests of each hot read, for accounts across all that have posts. */
async function hotReads(client: pg.ClientBase, key: string, accounts: number): Promise<Map<string, Sent[]>> {
  const numbers = Array.from({ length: SAMPLES }, (_, index) => Math.floor(((index + 0.5) * accounts) / SAMPLES));
  // Those of the client with the key, which are all but each tenth.
  const own = numbers.map((number) => `account-${number % 10 === 9 ? number - 1 : number}`);
  const { rows } = await client.query<Account>(
    `SELECT c.id AS "connectionId", c.external_subject_id AS "externalSubjectId", j.id AS "jobId", c.id AS "sessionId"
       FROM connection c JOIN job j ON j.connection_id = c.id AND j.kind = 'SCAN'
      WHERE c.provider_account_id = ANY ($1) AND c.status = 'CONNECTED'`,
    [own],
  );
  const requests = new Map<string, Sent[]>();
  for (const { externalSubjectId, ...account } of rows) {
    const scope = { tenantKey: TENANT, externalSubjectId };
    // The filled jobs belong to no scope, and the attempts of a part of the accounts are of the support pages.
    for (const { name, query, variables } of readsOf({ scope, ...account }).slice(0, 5))
      requests.set(name, [...(requests.get(name) ?? []), graphql("/graphql", key, query, variables)]);
  }
  return requests;
}

async function measure(client: pg.ClientBase, { url }: Deployment, requests: readonly Sent[], calls: number) {
  await runWithoutErrors({ url, requests, connections: 1, until: { requests: requests.length } });
  const before = await pagesTouched(client);
  const { tookMs, count } = await runWithoutErrors({ url, requests, connections: 1, until: { requests: calls } });
  const pages = ((await pagesTouched(client)) - before) / count;
  return { pages, p50: median(tookMs), p99: quantile(tookMs, 0.99) };
}

/** Pages of tables and indexes that were read so far, from memory or from the disk. */
async function pagesTouched(client: pg.ClientBase): Promise<number> {
  await setTimeout(COUNTED_AFTER_MS);
  const { rows } = await client.query<{ pages: string }>(
    `SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0) +
                coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0)) AS pages FROM pg_statio_user_tables`,
  );
  return Number(rows[0]?.pages);
}

/** How often each table was read without an index so far. */
async function scansOf(client: pg.ClientBase): Promise<Map<string, number>> {
  await setTimeout(COUNTED_AFTER_MS);
  const { rows } = await client.query<{ name: string; scans: string }>(
    "SELECT relname AS name, seq_scan AS scans FROM pg_stat_user_tables WHERE relname = ANY ($1) AND schemaname = current_schema()",
    [GROWING],
  );
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
}

async function measureSupport(client: pg.ClientBase, deployment: Deployment): Promise<Check[]> {
  const users = await someUsers(client);
  const before = await scansOf(client);
  printHead("support page", "median", "longest of ten users");
  for (const { name, tookMs } of await supportPages(users, deployment)) {
    printRow(name, `${median(tookMs).toFixed(1)} ms`, `${Math.max(...tookMs).toFixed(1)} ms`);
  }
  console.log();
  const after = await scansOf(client);
  await client.query("SELECT count(*) FROM job WHERE error_code = 'DISCONNECTED'");
  const control = await scansOf(client);
  const scanned = GROWING.filter((table) => after.get(table) !== before.get(table));
  return [
    {
      name: `the support pages scan no table that grows${scanned.map((table) => `, but ${table}`).join("")}`,
      isMet: scanned.length === 0,
    },
    { name: "control: a statement without an index is counted", isMet: control.get("job") !== after.get("job") },
  ];
}

type User = Readonly<Record<"id" | "subject" | "job" | "correlation" | "attempt", string>>;

const IDS = "connections { id } erased { id } attempts { id }";
const PAGE = "pageInfo { endCursor hasNextPage }";
const SCOPE = "$clientSlug: String!, $tenantKey: String, $externalSubjectId: String!";
const SCOPED = "clientSlug: $clientSlug, tenantKey: $tenantKey, externalSubjectId: $externalSubjectId";

async function someUsers(client: pg.ClientBase): Promise<readonly User[]> {
  const { rows } = await client.query<User>(
    `SELECT c.id, c.external_subject_id AS subject, j.id AS job, j.correlation_id AS correlation, a.id AS attempt
       FROM connect_attempt a JOIN connection c ON c.id = a.connection_id JOIN job j ON j.connection_id = c.id
       JOIN application p ON p.id = c.application_id AND p.slug = $1
      WHERE j.kind = 'SCAN' ORDER BY md5(c.id::text) LIMIT 10`,
    [CLIENT],
  );
  return rows;
}

/** Sends the queries of the support pages for each user, as the panel does. Returns the time for each user. */
async function supportPages(users: readonly User[], { admin }: Deployment) {
  const pages: { readonly name: string; readonly tookMs: readonly number[] }[] = [];
  for (const [name, query, variablesOf] of QUERIES) {
    const tookMs: number[] = [];
    for (const user of users) {
      const begin = performance.now();
      const { errors } = await admin.panel.run(query, { ...variablesOf(user) });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      tookMs.push(performance.now() - begin);
    }
    pages.push({ name, tookMs });
  }
  return pages;
}

const scopeOf = ({ subject }: User) => ({ clientSlug: CLIENT, tenantKey: TENANT, externalSubjectId: subject });
const byReference = `query($id: ID!) { findByReference(id: $id) { ${IDS} } }`;

const QUERIES: readonly (readonly [string, string, (user: User) => object])[] = [
  ["connections of a user", `query(${SCOPE}) { searchConnections(${SCOPED}) { items { id } ${PAGE} } }`, scopeOf],
  [
    "connect attempts of a user",
    `query(${SCOPE}) { searchConnectAttempts(${SCOPED}) { items { id } ${PAGE} } }`,
    scopeOf,
  ],
  ["by the id of a connection", byReference, ({ id }) => ({ id })],
  ["by the id of a connect attempt", byReference, ({ attempt }) => ({ id: attempt })],
  ["by the id of a job", byReference, ({ job }) => ({ id: job })],
  ["by the id of a request", byReference, ({ correlation }) => ({ id: correlation })],
  ["by an unknown id", byReference, () => ({ id: randomUUID() })],
  [
    "suggestions of users",
    "query($clientSlug: String!, $tenantKey: String, $startsWith: String!) { suggestUsers(clientSlug: $clientSlug, tenantKey: $tenantKey, startsWith: $startsWith) }",
    ({ subject }) => ({ clientSlug: CLIENT, tenantKey: TENANT, startsWith: subject.slice(0, -1) }),
  ],
  [
    "a user in all clients",
    "query($id: String!) { findPeople(startsWith: $id) { clientSlug tenantKey } }",
    ({ subject }) => ({ id: subject }),
  ],
  ["what is stored about a user", `query(${SCOPE}) { person(${SCOPED}) { __typename } }`, scopeOf],
  [
    "opening a connection",
    'mutation($id: ID!) { viewConnection(id: $id, reason: "benchmark") { __typename } }',
    ({ id }) => ({ id }),
  ],
];

const { values } = parseArgs({
  options: {
    largest: { type: "boolean", default: false },
    connections: { type: "string", default: "1000000" },
    calls: { type: "string", default: "400" },
  },
});
const sizes = [SMALLEST, 1_000_000, ...(values.largest ? [10_000_000] : [])];
const connections = Number(values.connections);
const most = Math.max(...sizes) / POSTS_PER_ACCOUNT;
if (!(connections >= most)) throw new Error(`--connections must be at least ${most}.`);
process.exitCode = (await main(sizes, connections, Number(values.calls))) ? 0 : 1;
