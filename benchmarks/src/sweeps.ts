/**
 * Sweeps with much to do: 300,000 expired profiles and expired attempts beside them, then 12,000 connections that are due
 * for a background read. `pnpm benchmark sweeps [profiles] [connections]`
 *
 * Fails if a step does not finish with a statement timeout of one second, if a later step waits for more than one batch of
 * another, or if scheduling takes more than a minute.
 */

import { ENQUEUE_BACKGROUND_READS } from "../../apps/server/src/modules/jobs/enqueueBackgroundReads.ts";
import { PURGE_SWEEPS } from "../../apps/server/src/modules/retention/purge.ts";
import type { Service } from "../../apps/server/src/modules/service.ts";
import { runSweeps } from "../../apps/server/src/modules/sweeps/runSweeps.ts";
import type { Sweep } from "../../apps/server/src/modules/sweeps/sweep.ts";
import { SystemClock } from "../../apps/server/src/platform/clock.ts";
import { openDatabase } from "../../apps/server/src/platform/database.ts";
import { createLogger } from "../../apps/server/src/platform/logger.ts";
import { applyMigrations } from "../../apps/server/src/platform/migrations.ts";
import { prepareTaskQueues } from "../../apps/server/src/worker/boss.ts";
import { createTaskQueue } from "../../apps/server/src/worker/taskQueue.ts";
import { withTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { type Check, reportChecks } from "./results/checks.ts";

async function main(profiles: number, due: number): Promise<boolean> {
  return withTemporaryDatabase(async (temporary) => {
    const url = temporary.url("postgres");
    await applyMigrations(url);
    await fill(url, profiles, due);
    const database = openDatabase({ url, poolSize: 5, statementTimeoutMs: 1_000 });
    try {
      await prepareTaskQueues(database.pool);
      const clock = new SystemClock(database.pool);
      const parts: Partial<Service> = {
        pool: database.pool,
        prisma: database.prisma,
        clock,
        jitter: Math.random,
        logger: createLogger({ level: "warn", role: "benchmark" }),
        queue: createTaskQueue(database.pool, clock),
      };
      const service = parts as Service;
      const checks = [...(await purgeProfiles(service, profiles)), ...(await schedule(service, due))];
      return reportChecks(checks);
    } finally {
      await database.close();
    }
  });
}

async function fill(url: string, profiles: number, due: number): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 300_000 });
  const { pool } = database;
  await pool.query(`INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
    VALUES (gen_random_uuid(), 'bench', 'Bench', '{PROVIDER_A}', '{PROFILE,CONTENT_LIST}', '{tenant}', now(), now())`);
  await pool.query(`INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes,
                                                      capabilities, all_applications, created_at, updated_at)
    VALUES (gen_random_uuid(), 'PROVIDER_A', 'PUBLISHED', 'c', '', '{}', '{}', '{PROFILE,CONTENT_LIST}', true, now(), now())`);
  await pool.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, display_name,
                             profile_observed_at, next_scan_at, created_at, updated_at)
     SELECT gen_random_uuid(), a.id, 'tenant', 'user-' || n, 'PROVIDER_A', r.id, 'account-' || n, 'account-' || n, 'CONNECTED',
            'READY', '{PROFILE,CONTENT_LIST}', 'Account ' || n, now() - interval '40 days',
            CASE WHEN n <= $2 THEN now() - interval '1 minute' ELSE now() + interval '1 day' END, now(), now()
       FROM application a, provider_registration r, generate_series(1, $1::int) n`,
    [profiles, due],
  );
  await pool.query(`INSERT INTO audit_entry (id, at, actor, action, target_type, target_id, summary)
    SELECT gen_random_uuid(), now() - interval '40 days', 'System', 'Client disabled', 'Client', 'bench', '' FROM generate_series(1, 10)`);
  await pool.query("ANALYZE");
  await database.close();
}

/** The order of the batches shows how long a later step waits. */
async function purgeProfiles(service: Service, profiles: number): Promise<Check[]> {
  const order: string[] = [];
  const begin = performance.now();
  await runSweeps(
    service,
    PURGE_SWEEPS.map((sweep) => recording(sweep, order)),
  );
  const seconds = (performance.now() - begin) / 1_000;
  const left = await service.prisma.connection.count({ where: { profileObservedAt: { not: null } } });
  const states = await service.prisma.sweepState.findMany();
  const batches = order.filter((name) => name === "expireProfiles").length;
  console.log(`${profiles} expired profiles: ${batches} batches in ${seconds.toFixed(1)} s`);
  return [
    { name: "every expired profile is cleared", isMet: left === 0 },
    {
      name: "every step finished",
      isMet: states.length === PURGE_SWEEPS.length && states.every(({ succeededAt }) => succeededAt !== null),
    },
    {
      name: "a later step waits for one batch",
      isMet:
        order.slice(0, order.indexOf("deleteAuditEntries")).filter((name) => name === "expireProfiles").length === 1,
    },
  ];
}

async function schedule(service: Service, due: number): Promise<Check[]> {
  const begin = performance.now();
  await runSweeps(service, [ENQUEUE_BACKGROUND_READS]);
  const seconds = (performance.now() - begin) / 1_000;
  const jobs = await service.prisma.job.count();
  const { rows } = await service.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'created'",
  );
  console.log(`${due} due connections: scheduled in ${seconds.toFixed(1)} s`);
  return [
    { name: "every due connection has a job and a task", isMet: jobs === due && rows[0]?.count === due },
    { name: "scheduling takes less than a minute", isMet: seconds < 60 },
  ];
}

function recording(sweep: Sweep, order: string[]): Sweep {
  return {
    ...sweep,
    begin: (service, now) => {
      const run = sweep.begin(service, now);
      return {
        ...run,
        batch: (limit) => {
          order.push(sweep.name);
          return run.batch(limit);
        },
      };
    },
  };
}

const [profiles = 300_000, due = 12_000] = process.argv.slice(2).map(Number);
process.exitCode = (await main(profiles, due)) ? 0 : 1;
