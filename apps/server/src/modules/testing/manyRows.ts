import type { Pool } from "pg";

/** Tables that grow with the number of users, which statements must not scan. */
const GROWING = [
  "content_item",
  "connection",
  "job",
  "connect_attempt",
  "provider_grant",
  "provider_quota",
  "event_endpoint",
  "event",
  "event_delivery",
];

/**
 * Fills the tables with copies of one connection, so that the planner prefers indexes: 3,000 connections with a grant
 * and four finished jobs each, 30,000 posts (a third of them expired), 3,000 completed attempts, 3,000 quota rows, 500 applications with an event endpoint
 * (one in 100 fails), and 9,000 events of the connections' application, of which one in 100 was not delivered.
 */
export async function fillTables(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, created_at, updated_at,
                             next_scan_at, next_profile_at, profile_observed_at)
     SELECT gen_random_uuid(), application_id, tenant_key, 'user-' || n, provider, registration_id,
            provider_account_id || n, live_account_id || n, status, sync_status, capabilities, created_at, updated_at,
            now() + n * interval '20 seconds', now() + n * interval '20 seconds', now() - n * interval '20 seconds'
       FROM connection, generate_series(2, 3000) n`,
  );
  await pool.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, published_at, availability, reason, observed_at, metrics)
     SELECT gen_random_uuid(), c.application_id, c.id, 'post-' || n, 'VIDEO', now() - n * interval '1 hour', 'AVAILABLE',
            CASE WHEN n % 3 = 0 THEN 'EXPIRED' WHEN (c.number + n) % 50 = 1 THEN 'PRIVATE_AT_PROVIDER'
                 WHEN (c.number + n) % 50 = 2 THEN 'DELETED_AT_PROVIDER' END,
            now() - CASE WHEN n % 3 = 0 THEN interval '90 days' ELSE n * interval '12 hours' END, '[]'
       FROM (SELECT id, application_id, row_number() OVER () AS number FROM connection LIMIT 1000) c, generate_series(1, 30) n`,
  );
  await pool.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, created_at, finished_at)
     SELECT gen_random_uuid(), application_id, id, '\\x00', provider, 'SCAN', 'SUCCEEDED', now() - n * interval '1 day', now() - n * interval '1 day'
       FROM connection, generate_series(1, 4) n`,
  );
  await pool.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', '', now(), now() FROM connection ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
                                  return_url, status, launch_token_hash, created_at, expires_at, result_expires_at)
     SELECT gen_random_uuid(), application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
            '', 'COMPLETED', sha256(id::text::bytea), now(), now() + interval '10 minutes', now() + interval '24 hours'
       FROM connection`,
  );
  await pool.query(
    `INSERT INTO provider_quota (registration_id, budget, window_start, window_ends_at, used)
     SELECT registration_id, 'account ' || id, now(), now() + interval '1 day', 1 FROM connection`,
  );
  await pool.query(
    `INSERT INTO application (id, slug, display_name, web_origins, return_urls, identity_return_urls, providers, capabilities,
                              tenant_keys, preview_return_paths, created_at, updated_at)
     SELECT gen_random_uuid(), 'many-' || n, '', '{}', '{}', '{}', '{}', '{}', '{}', '{}', now(), now() FROM generate_series(1, 500) n`,
  );
  await pool.query(
    `INSERT INTO event_endpoint (id, application_id, url, types, secret_sealed, failing_since, created_at, updated_at)
     SELECT gen_random_uuid(), id, 'https://receiver.example', '{}', '',
            CASE WHEN row_number() OVER () % 100 = 0 THEN now() END, now(), now()
       FROM application`,
  );
  await pool.query(
    `INSERT INTO event (id, application_id, type, tenant_key, external_subject_id, connection_id, occurred_at)
     SELECT gen_random_uuid(), application_id, CASE n WHEN 1 THEN 'connect.completed' ELSE 'job.failed' END, tenant_key,
            external_subject_id, id, now() - n * interval '1 hour'
       FROM connection, generate_series(1, 3) n`,
  );
  await pool.query(
    `INSERT INTO event_delivery (id, application_id, event_id, endpoint_id, status, tries, problem, created_at)
     SELECT gen_random_uuid(), e.application_id, e.id, p.id, 'SUCCEEDED', 1,
            CASE WHEN row_number() OVER () % 100 = 0 THEN 'TIMEOUT' END, e.occurred_at
       FROM event e JOIN event_endpoint p USING (application_id)`,
  );
  await pool.query("ANALYZE");
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

/** Names of the growing tables for which the statement's plan has a sequential scan. */
export async function tablesScanned(pool: Pool, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  const scannedBy = (plan: Plan): readonly string[] => [
    ...GROWING.filter((table) => plan["Node Type"] === "Seq Scan" && plan["Relation Name"] === table),
    ...(plan.Plans ?? []).flatMap(scannedBy),
  ];
  return [...scannedBy(rows[0]["QUERY PLAN"][0].Plan)];
}
