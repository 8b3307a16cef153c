/** The work of a worker that grows with the number of users; see the README. `pnpm benchmark jobs [profiles] [connections] [erased]` */
import type pg from "pg";
import { readTables } from "../../../packages/testkit/src/database.ts";
import { eventually } from "../../../packages/testkit/src/eventually.ts";
import { type Deployment, startDeployment } from "../../../system-tests/deployment/deployment.ts";
import { type Check, describeMachine, reportChecks } from "../results/report.ts";

/** A worker begins its sweeps every minute, and does in the next one what did not fit. */
const MOST_WAIT_MS = 600_000;
const MOST_SCHEDULING_SECONDS = 60;
const LEAVING = "leaving";

async function main(profiles: number, due: number, erased: number): Promise<boolean> {
  console.log(describeMachine());
  await using deployment = await startDeployment({ settings: { NODE_ENV: "production" } });
  const client = await deployment.database.connect();
  try {
    // At once, so that no sweep sees a part of it.
    await client.query("BEGIN");
    await fill(client, profiles, due, erased);
    await client.query("COMMIT");
    return reportChecks([...(await sweeps(client, profiles, due)), ...(await erasure(deployment, erased))]);
  } finally {
    client.release();
  }
}

async function fill(client: pg.ClientBase, profiles: number, due: number, erased: number): Promise<void> {
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     VALUES (gen_random_uuid(), 'bench', 'Bench', '{PROVIDER_A}', '{PROFILE,CONTENT_LIST}', '{tenant,${LEAVING}}', now(), now())`,
  );
  await client.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id, provider_account_id,
                             live_account_id, status, sync_status, capabilities, display_name, profile_observed_at,
                             next_scan_at, next_profile_at, created_at, updated_at)
     SELECT gen_random_uuid(), a.id, CASE WHEN n > $1 THEN '${LEAVING}' ELSE 'tenant' END, prefix || n, 'PROVIDER_A', r.id, prefix || n, prefix || n,
            'CONNECTED', 'READY', '{PROFILE,CONTENT_LIST}', 'Account ' || n, CASE WHEN n <= $1 THEN now() - interval '40 days' END,
            CASE WHEN n <= $2 THEN now() - interval '1 minute' ELSE 'infinity' END, 'infinity', now(), now()
       FROM application a, provider_registration r, generate_series(1, $1::int + $3::int) n,
            LATERAL (SELECT CASE WHEN n > $1 THEN '${LEAVING}-' ELSE 'user-' END AS prefix) names
      WHERE r.provider = 'PROVIDER_A'`,
    [profiles, due, erased],
  );
  await client.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, published_at, availability, observed_at, metrics)
     SELECT gen_random_uuid(), application_id, id, provider_account_id || '-post-' || n, 'VIDEO', now(), 'AVAILABLE', now(), '[]'
       FROM connection, generate_series(1, 2) n WHERE tenant_key = '${LEAVING}'`,
  );
  await client.query("ANALYZE");
}

async function sweeps(client: pg.ClientBase, profiles: number, due: number): Promise<Check[]> {
  const count = async (statement: string) => Number((await client.query<{ count: string }>(statement)).rows[0]?.count);
  const left = () => count("SELECT count(*) FROM connection WHERE profile_observed_at IS NOT NULL");
  const scheduled = () => count("SELECT count(DISTINCT connection_id) FROM job");
  await until(async () => (await left()) < profiles);
  const begin = performance.now();
  await until(async () => (await left()) === 0 && (await scheduled()) >= due);
  const seconds = (performance.now() - begin) / 1_000;
  const scheduling = await count("SELECT extract(epoch FROM max(created_at) - min(created_at)) AS count FROM job");
  const failed = await count("SELECT count(*) FROM sweep_state WHERE failed_at IS NOT NULL");
  console.log(`${profiles} expired profiles: cleared in ${seconds.toFixed(1)} s`);
  console.log(`${due} due connections: scheduled in ${scheduling.toFixed(1)} s`);
  return [
    { name: "every expired profile is cleared", isMet: (await left()) === 0 },
    { name: "no sweep failed", isMet: failed === 0 },
    { name: "every due connection has a job, and no other", isMet: (await scheduled()) === due },
    { name: "scheduling takes less than a minute", isMet: scheduling < MOST_SCHEDULING_SECONDS },
  ];
}

async function erasure({ database, run }: Deployment, count: number): Promise<Check[]> {
  const begin = performance.now();
  const stdout = await run("erase", "--application", "bench", "--tenant", LEAVING, "--json");
  console.log(`${count} connections erased in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  const report = JSON.parse(stdout) as { receipts: { connectionId: string }[]; failed: unknown[] };
  const erased = new Set(report.receipts.map(({ connectionId }) => connectionId)).size;
  const tables = await readTables(database);
  const named = tables.filter(({ text }) => text.includes(`${LEAVING}-`)).map(({ table }) => table);
  return [
    { name: "each connection has a receipt", isMet: erased === count && report.failed.length === 0 },
    { name: `no row names an account${named.map((table) => `, but ${table}`).join("")}`, isMet: named.length === 0 },
  ];
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await isSo())) throw new Error("The worker did not finish its sweeps in time.");
  }, MOST_WAIT_MS);
}

const [profiles = 300_000, due = 12_000, erased = 1_000] = process.argv.slice(2).map(Number);
process.exitCode = (await main(profiles, due, erased)) ? 0 : 1;
