import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";

export const POSTS_PER_ACCOUNT = 100;
/** Posts that are still observed; the others expired. */
export const LIVE_POSTS = 60;
/** Posts of an account that were stored together, by its first scan. The others were stored one by one. */
const FIRST_SCAN = 50;
/** Due posts, in every size, so that a sweep has the same work. */
export const DUE_POSTS = 100;
export interface Filled {
  readonly key: string;
  readonly applicationId: string;
  /** Accounts with posts. */
  readonly accounts: number;
}

/**
 * Fills a migrated database. Account `n` is the connection of the subject `user-n`. The number of connections, with their
 * grants and jobs, is that of the largest size in each size, so that only posts grow.
 */
export async function fill(url: string, posts: number, connections: number): Promise<Filled> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const accounts = posts / POSTS_PER_ACCOUNT;
  // Rows are consistent; checking ten million references takes minutes.
  await client.query("SET session_replication_role = replica");
  await client.query("SET maintenance_work_mem = '1GB'");
  const owner = await fillAccounts(client, connections);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'content_item' AND indexname <> 'content_item_pkey'`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query("ALTER TABLE content_item DROP CONSTRAINT content_item_pkey");
  await insertPosts(
    client,
    `c.number <= ${accounts}`,
    `generate_series(${FIRST_SCAN + 1}, ${POSTS_PER_ACCOUNT}) n`,
    "c.number, n DESC",
  );
  for (let n = FIRST_SCAN; n >= 1; n -= 1) {
    await insertPosts(client, `c.number <= ${accounts}`, `generate_series(${n}, ${n}) n`, "c.number");
  }
  await client.query("ALTER TABLE content_item ADD CONSTRAINT content_item_pkey PRIMARY KEY (id, application_id)");
  for (const { definition } of indexes) await client.query(definition);
  await client.query(
    `UPDATE content_item SET observed_since = now() - interval '31 days',
                             observed_at = CASE WHEN c.number % 2 = 0 THEN now() ELSE now() - interval '31 days' END
       FROM numbered c WHERE c.id = connection_id AND c.number <= ${DUE_POSTS} AND provider_content_id = 'post-1'`,
  );
  await client.query("DROP TABLE numbered");
  await client.query("VACUUM (ANALYZE)");
  await client.end();
  return { ...owner, accounts };
}

async function fillAccounts(client: pg.Client, connections: number): Promise<Omit<Filled, "accounts">> {
  const [applicationId, registrationId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
  const secret = randomBytes(32).toString("hex");
  const capabilities = "{PROFILE,CONTENT_LIST,CONTENT_METRICS}";
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     VALUES ($1, 'bench', 'Bench', '{PROVIDER_A}', $2, '{tenant}', now(), now())`,
    [applicationId, capabilities],
  );
  await client.query(
    "INSERT INTO application_key (id, application_id, secret_hash, created_at, last_used_at) VALUES ($1, $2, $3, now(), now())",
    [keyId, applicationId, createHash("sha256").update(secret).digest()],
  );
  await client.query(
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes, capabilities, all_applications, created_at, updated_at)
     VALUES ($1, 'PROVIDER_A', 'PUBLISHED', 'c', '', '{}', '{}', $2, true, now(), now())`,
    [registrationId, capabilities],
  );
  await client.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, display_name, handle,
                             profile_observed_at, last_successful_sync_at, next_scan_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'tenant', 'user-' || n, 'PROVIDER_A', $2, 'account-' || n, 'account-' || n, 'CONNECTED', 'READY',
            $3, 'Account ' || n, '@account-' || n, now(), now(), now() + interval '1 day', now(), now()
       FROM generate_series(1, $4::int) n`,
    [applicationId, registrationId, capabilities, connections],
  );
  await client.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', repeat('x', 300), now(), now() FROM connection`,
  );
  await client.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, window_after, window_before,
                      complete_for_window, covered_since, created_at, started_at, finished_at)
     SELECT gen_random_uuid(), application_id, id, '\\x00', 'PROVIDER_A', 'SCAN', 'SUCCEEDED', now() - n * interval '1 day' - interval '7 days',
            now() - n * interval '1 day', true, now() - n * interval '1 day', now() - n * interval '1 day', now(), now()
       FROM connection, generate_series(0, 2) n`,
  );
  await client.query(
    `CREATE TABLE numbered AS SELECT id, application_id, substr(external_subject_id, 6)::int AS number FROM connection ORDER BY 2`,
  );
  await client.query("CREATE INDEX ON numbered (number)");
  await client.query("ANALYZE numbered");
  return { key: `${keyId}.${secret}`, applicationId };
}

async function insertPosts(client: pg.Client, accounts: string, numbers: string, order: string): Promise<void> {
  const metric = (name: string, factor: number) =>
    `{"name":"${name}","value":"' || (c.number * 7919 + n) % ${factor} || '","availability":"AVAILABLE","reason":null,"sourceField":"statistics.${name.toLowerCase()}"}`;
  const metrics = `'[${metric("VIEWS", 1_000_000)},${metric("LIKES", 10_000)},${metric("COMMENTS", 1_000)},${metric("SHARES", 100)}]'`;
  const live = `n <= ${LIVE_POSTS}`;
  await client.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, canonical_url, thumbnail_url, title, description, published_at,
                               availability, reason, observed_at, metrics, metrics_observed_at, observed_since)
     SELECT gen_random_uuid(), c.application_id, c.id, 'post-' || n, CASE WHEN ${live} THEN 'VIDEO' ELSE 'UNKNOWN' END::content_kind,
            CASE WHEN ${live} THEN 'https://video.example/watch?v=' || c.number || '-' || n END,
            CASE WHEN ${live} THEN 'https://images.example/' || c.number || '/' || n || '/default.jpg' END,
            CASE WHEN ${live} THEN 'Post number ' || n || ' of account ' || c.number END,
            CASE WHEN ${live} THEN 'A caption of some length, with words and #tags, for post ' || n || ' of account ' || c.number END,
            CASE WHEN ${live} THEN now() - n * interval '11 hours' END,
            CASE WHEN ${live} THEN 'AVAILABLE' ELSE 'UNAVAILABLE' END::availability, CASE WHEN ${live} THEN NULL ELSE 'EXPIRED' END,
            now() - CASE WHEN ${live} THEN interval '1 hour' ELSE n * interval '1 day' END,
            CASE WHEN ${live} THEN (${metrics})::jsonb ELSE '[]' END,
            CASE WHEN ${live} THEN now() - interval '1 hour' END,
            now() - CASE WHEN ${live} THEN n * interval '11 hours' ELSE n * interval '1 day' END
       FROM numbered c, ${numbers} WHERE ${accounts} ORDER BY ${order}`,
  );
}
