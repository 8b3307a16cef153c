import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { JOB_ERROR_CODES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";

export const CLIENT = "bench";
/** One registration of each provider. */
export const REGISTRATIONS = SOCIAL_PROVIDERS.map((provider) => ({ id: randomUUID(), provider }));
export const TENANT = "tenant";
/** Has one of a thousand connections. */
export const SMALL_TENANT = "small tenant";
/** All clients; the others share a tenth of the connections. */
const CLIENTS = 1_000;
/** Connections of one subject, one at each account. */
const CONNECTIONS_PER_SUBJECT = 2;
/** One of so many connections has connect attempts of the last day. */
const ATTEMPTS_EVERY = 10;
const POSTS_EVERY = 20;
/** Every status and every result of a scan, from very frequent to rare ones; one of two hundred needs a reconnect. */
const STATUS = `(CASE WHEN n % 200 = 1 THEN 'RECONNECT_REQUIRED' WHEN n % 1009 = 0 THEN 'SUSPENDED'
  WHEN n % 5003 = 0 THEN 'DISCONNECTED' WHEN n % 50021 = 0 THEN 'DELETING' ELSE 'CONNECTED' END)::connection_status`;
const SYNC_STATUS = `(CASE WHEN n % 20 = 1 THEN 'FAILED' WHEN n % 101 = 0 THEN 'PARTIAL' WHEN n % 499 = 0 THEN 'RUNNING'
  WHEN n % 997 = 0 THEN 'PENDING' ELSE 'READY' END)::sync_status`;

/**
 * Fills a migrated database: connections with a grant and two jobs each, one of them requested; attempts and posts of a
 * part of them.
 */
export async function fill(pool: Pool, connections: number): Promise<void> {
  const applicationIds = Array.from({ length: CLIENTS }, () => randomUUID());
  const registrationIds = REGISTRATIONS.map(({ id }) => id);
  await pool.query("SET session_replication_role = replica");
  const indexes = await dropIndexes(pool);
  await pool.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     SELECT id, CASE WHEN n = 1 THEN $2 ELSE $2 || n END, 'Bench', '{PROVIDER_A}', '{PROFILE,CONTENT_LIST}', ARRAY[$3],
            now(), now()
       FROM unnest($1::uuid[]) WITH ORDINALITY AS client (id, n)`,
    [applicationIds, CLIENT, TENANT],
  );
  await pool.query(
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes,
                                        capabilities, all_applications, created_at, updated_at)
     SELECT id, provider, 'PUBLISHED', 'c', '', '{}', '{}', '{PROFILE,CONTENT_LIST}', true, now(), now()
       FROM unnest($1::uuid[], $2::social_provider[]) AS registration (id, provider)`,
    [registrationIds, SOCIAL_PROVIDERS],
  );
  await pool.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, scan_error_code, capabilities,
                             last_successful_sync_at, next_scan_at, created_at, updated_at)
     SELECT gen_random_uuid(), ($1::uuid[])[CASE WHEN n % 10 = 9 THEN 1 + n / 10 % cardinality($1) ELSE 1 END],
            CASE WHEN n % 1000 = 0 THEN '${SMALL_TENANT}' ELSE $3 END,
            'user-' || n / ${CONNECTIONS_PER_SUBJECT}, ($6::social_provider[])[1 + n % 3], ($2::uuid[])[1 + n % 3], 'account-' || n,
            'account-' || n, ${STATUS}, ${SYNC_STATUS},
            CASE WHEN ${SYNC_STATUS} = 'FAILED' AND n % 7 < 5 THEN ($5::text[])[1 + n % cardinality($5)] END,
            '{PROFILE,CONTENT_LIST}', now() - interval '1 hour',
            now() + n * interval '1 second', now() - n * interval '1 second', now()
       FROM generate_series(0, $4::int - 1) n`,
    [applicationIds, registrationIds, TENANT, connections, JOB_ERROR_CODES, SOCIAL_PROVIDERS],
  );
  await pool.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed,
                                 refresh_token_expires_at, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', '',
            now() + substring(provider_account_id FROM 9)::int % 365 * interval '1 day', created_at, updated_at
       FROM connection`,
  );
  await pool.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, background, correlation_id,
                      created_at, finished_at)
     SELECT gen_random_uuid(), application_id, id, '\\x00', provider, kind, 'SUCCEEDED', kind = 'PROFILE',
            CASE WHEN kind = 'SCAN' THEN gen_random_uuid() END, created_at, created_at
       FROM connection, unnest('{SCAN,PROFILE}'::job_kind[]) kind`,
  );
  await pool.query(
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                                  capabilities, return_url, status, connection_id, launch_token_hash, created_at,
                                  expires_at, result_expires_at)
     SELECT gen_random_uuid(), application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
            '', 'COMPLETED', id, sha256(id::text::bytea), now(), now() + interval '10 minutes', now() + interval '1 day'
       FROM connection WHERE substring(provider_account_id FROM 9)::int % ${ATTEMPTS_EVERY} = 0`,
  );
  await pool.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, published_at, availability,
                               observed_at, metrics)
     SELECT gen_random_uuid(), application_id, id, 'post-' || n, 'VIDEO', now() - n * interval '1 hour', 'AVAILABLE', now(),
            '[]'
       FROM connection, generate_series(1, 20) n
      WHERE substring(provider_account_id FROM 9)::int % ${POSTS_EVERY} = 0`,
  );
  for (const definition of indexes) await pool.query(definition);
  await pool.query("SET session_replication_role = DEFAULT");
  await pool.query("VACUUM ANALYZE");
}

/** Drops the indexes that no constraint needs, because building them afterwards takes less time. Returns their definitions. */
async function dropIndexes(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid = ANY ('{connection,provider_grant,job,connect_attempt,content_item}'::regclass[])
        AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}
