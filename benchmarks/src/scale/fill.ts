import type pg from "pg";
import type { Deployment } from "../../../system-tests/deployment/deployment.ts";

export const CLIENT = "bench";
export const TENANT = "tenant";
export const POSTS_PER_ACCOUNT = 100;
/** Posts that are still observed; the others expired. */
const LIVE_POSTS = 60;
/** Posts of an account that were stored together, by its first scan. The others were stored one by one. */
const FIRST_SCAN = 50;
/** All clients; the others share a tenth of the connections. */
const CLIENTS = 1_000;
/** Connections of one subject, one at each account. */
const CONNECTIONS_PER_SUBJECT = 2;
/** One of so many connections has connect attempts of the last day. */
const ATTEMPTS_EVERY = 10;
/** Every status and every result of a scan, from very frequent to rare ones; one of two hundred needs a reconnect. */
const STATUS = `(CASE WHEN n % 200 = 1 THEN 'RECONNECT_REQUIRED' WHEN n % 1009 = 0 THEN 'SUSPENDED'
  WHEN n % 5003 = 0 THEN 'DISCONNECTED' WHEN n % 50021 = 0 THEN 'DELETING' ELSE 'CONNECTED' END)::connection_status`;
const SYNC_STATUS = `(CASE WHEN n % 20 = 1 THEN 'FAILED' WHEN n % 101 = 0 THEN 'PARTIAL' WHEN n % 499 = 0 THEN 'RUNNING'
  WHEN n % 997 = 0 THEN 'PENDING' ELSE 'READY' END)::sync_status`;
const CAPABILITIES = "{PROFILE,CONTENT_LIST,CONTENT_METRICS}";

/**
 * Fills a migrated database: connections with a grant and two jobs each, one of them requested, and attempts of a part of them. The
 * account `n` belongs to the user `user-m`, m = n / 2. Returns the key of the client `bench`.
 */
export async function fillConnections(
  { operator }: Deployment,
  client: pg.ClientBase,
  connections: number,
): Promise<string> {
  const application = await operator.createApplication();
  const applicationId = await operator.clientId(application);
  // Rows are consistent; checking a million references takes minutes.
  await client.query("SET session_replication_role = replica");
  const indexes = await dropIndexes(client, ["connection", "provider_grant", "job", "connect_attempt"]);
  const named = [applicationId, CLIENT, [TENANT]];
  await client.query("UPDATE application SET slug = $2, tenant_keys = $3 WHERE id = $1", named);
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     SELECT gen_random_uuid(), slug || n, display_name, providers, capabilities, tenant_keys, now(), now()
       FROM application, generate_series(2, ${CLIENTS}) n`,
  );
  await client.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, scan_error_code, capabilities,
                             last_successful_sync_at, next_scan_at, created_at, updated_at)
     SELECT gen_random_uuid(), CASE WHEN n % 10 = 9 THEN (clients.ids)[1 + n / 10 % ${CLIENTS}] ELSE $1 END, $2,
            'user-' || n / ${CONNECTIONS_PER_SUBJECT}, (enum_range(NULL::social_provider))[1 + n % 3], registrations.ids[1 + n % 3],
            'account-' || n, 'account-' || n, ${STATUS}, ${SYNC_STATUS},
            CASE WHEN ${SYNC_STATUS} = 'FAILED' AND n % 7 < 5 THEN 'UPSTREAM_UNAVAILABLE' END, $3,
            now() - interval '1 hour', now() + n * interval '1 second', now() - n * interval '1 second', now()
       FROM (SELECT array_agg(id) AS ids FROM application) clients,
            (SELECT array_agg(id ORDER BY provider) AS ids FROM provider_registration) registrations,
            generate_series(0, $4::int - 1) n`,
    [applicationId, TENANT, CAPABILITIES, connections],
  );
  await client.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed,
                                 refresh_token_expires_at, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', repeat('x', 300),
            now() + substring(provider_account_id FROM 9)::int % 365 * interval '1 day', created_at, updated_at
       FROM connection`,
  );
  await client.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, background, correlation_id, window_after,
                      window_before, complete_for_window, covered_since, created_at, started_at, finished_at)
     SELECT gen_random_uuid(), application_id, id, '\\x00', provider, kind, 'SUCCEEDED', kind = 'PROFILE',
            CASE WHEN kind = 'SCAN' THEN gen_random_uuid() END, CASE WHEN kind = 'SCAN' THEN now() - interval '90 days' END,
            CASE WHEN kind = 'SCAN' THEN now() END, CASE WHEN kind = 'SCAN' THEN true END, CASE WHEN kind = 'SCAN' THEN now() END, created_at,
            created_at, created_at
       FROM connection, unnest('{SCAN,PROFILE}'::job_kind[]) kind`,
  );
  await client.query(
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                                  capabilities, return_url, status, connection_id, launch_token_hash, created_at,
                                  expires_at, result_expires_at)
     SELECT gen_random_uuid(), application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
            '', 'COMPLETED', id, sha256(id::text::bytea), now(), now() + interval '10 minutes', now() + interval '1 day'
       FROM connection WHERE substring(provider_account_id FROM 9)::int % ${ATTEMPTS_EVERY} = 0`,
  );
  for (const definition of indexes) await client.query(definition);
  return application.key;
}

/** Gives the accounts from `first` on, in the given number, a hundred posts each. */
export async function addPosts(client: pg.ClientBase, first: number, accounts: number): Promise<void> {
  const indexes = await dropIndexes(client, ["content_item"]);
  await client.query(
    `CREATE TEMP TABLE numbered AS SELECT id, application_id, substring(provider_account_id FROM 9)::int AS number FROM connection
      WHERE substring(provider_account_id FROM 9)::int BETWEEN ${first} AND ${first + accounts - 1} ORDER BY number`,
  );
  await insertPosts(client, `generate_series(${FIRST_SCAN + 1}, ${POSTS_PER_ACCOUNT}) n`, "c.number, n DESC");
  for (let n = FIRST_SCAN; n >= 1; n -= 1) await insertPosts(client, `generate_series(${n}, ${n}) n`, "c.number");
  await client.query("DROP TABLE numbered");
  for (const definition of indexes) await client.query(definition);
}

async function insertPosts(client: pg.ClientBase, numbers: string, order: string): Promise<void> {
  const metric = (name: string, factor: number) =>
    `{"name":"${name}","value":"' || (c.number * 7919 + n) % ${factor} || '","availability":"AVAILABLE","reason":null,"sourceField":"statistics.${name.toLowerCase()}"}`;
  const metrics = `'[${metric("VIEWS", 1_000_000)},${metric("LIKES", 10_000)},${metric("COMMENTS", 1_000)},${metric("SHARES", 100)}]'`;
  const live = (value: string, otherwise = "NULL") =>
    `CASE WHEN n <= ${LIVE_POSTS} THEN ${value} ELSE ${otherwise} END`;
  await client.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, canonical_url, thumbnail_url, title, description, published_at,
                               availability, reason, observed_at, metrics, metrics_observed_at, observed_since)
     SELECT gen_random_uuid(), c.application_id, c.id, 'post-' || n, ${live("'VIDEO'", "'UNKNOWN'")}::content_kind,
            ${live("'https://video.example/watch?v=' || c.number || '-' || n")},
            ${live("'https://images.example/' || c.number || '/' || n || '/default.jpg'")},
            ${live("'Post number ' || n || ' of account ' || c.number")},
            ${live("'A caption of some length, with words and #tags, for post ' || n || ' of account ' || c.number")},
            ${live("now() - n * interval '11 hours'")}, ${live("'AVAILABLE'", "'UNAVAILABLE'")}::availability, ${live("NULL", "'EXPIRED'")},
            now() - ${live("interval '1 hour'", "n * interval '1 day'")}, ${live(`(${metrics})::jsonb`, "'[]'")},
            ${live("now() - interval '1 hour'")}, now() - ${live("n * interval '11 hours'", "n * interval '1 day'")}
       FROM numbered c, ${numbers} ORDER BY ${order}`,
  );
}

/** Drops the indexes that no constraint needs, because building them afterwards takes less time. Returns their definitions. */
async function dropIndexes(client: pg.ClientBase, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid = ANY ($1::text[]::regclass[])
        AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}
