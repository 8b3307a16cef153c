import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";

/** What the reads need to know of the rows that they read. */
export interface Seeded {
  readonly key: string;
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly connectionId: string;
  readonly jobId: string;
  readonly sessionId: string;
}

/** One post every six hours: half of them are in a window of 30 days. */
const POSTS = 240;
const CONNECTIONS = 20;
const OTHER_SUBJECTS = 200;

/**
 * One subject with 20 connections, one of which has 240 posts with 4 metrics each and was scanned; and 200 other subjects
 * with as many posts, so that the tables have a size.
 */
export async function seed(url: string): Promise<Seeded> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [application, registration, keyId] = [randomUUID(), randomUUID(), randomUUID()];
  const [connectionId, jobId, sessionId] = [randomUUID(), randomUUID(), randomUUID()];
  const secret = randomBytes(32).toString("hex");
  const scope = { tenantKey: "tenant", externalSubjectId: "user" };
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     VALUES ($1, 'bench', 'Bench', '{PROVIDER_A}', '{PROFILE,CONTENT_LIST,CONTENT_METRICS}', '{tenant}', now(), now())`,
    [application],
  );
  await client.query(
    "INSERT INTO application_key (id, application_id, secret_hash, created_at) VALUES ($1, $2, $3, now())",
    [keyId, application, createHash("sha256").update(secret).digest()],
  );
  await client.query(
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes, capabilities, all_applications, created_at, updated_at)
     VALUES ($1, 'PROVIDER_A', 'PUBLISHED', 'c', '', '{}', '{}', '{PROFILE,CONTENT_LIST,CONTENT_METRICS}', true, now(), now())`,
    [registration],
  );
  await client.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, display_name, handle,
                             profile_observed_at, last_successful_sync_at, created_at, updated_at)
     SELECT CASE n WHEN 1 THEN $1::uuid ELSE gen_random_uuid() END, $2, $3,
            CASE WHEN n <= $6 THEN $4 ELSE $4 || n END, 'PROVIDER_A', $5,
            'account-' || n, 'account-' || n, 'CONNECTED', 'READY', '{PROFILE,CONTENT_LIST,CONTENT_METRICS}', 'Account ' || n,
            '@account-' || n, now(), now(), now() + n * interval '1 second', now()
       FROM generate_series(1, $6::int + $7::int) n`,
    [connectionId, application, scope.tenantKey, scope.externalSubjectId, registration, CONNECTIONS, OTHER_SUBJECTS],
  );
  await client.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', '', now(), now() FROM connection`,
  );
  const metric = (name: string) => ({
    name,
    value: "1234567",
    availability: "AVAILABLE",
    reason: null,
    sourceField: name,
  });
  await client.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, canonical_url, title, published_at, availability, observed_at, observed_since, metrics, metrics_observed_at)
     SELECT gen_random_uuid(), application_id, id, 'post-' || n, 'VIDEO', 'https://video.example/' || n, 'Post number ' || n, now() - n * interval '6 hours', 'AVAILABLE', now(), now(), $2, now()
       FROM connection, generate_series(1, $3::int) n WHERE id = $1 OR external_subject_id <> $4`,
    [
      connectionId,
      JSON.stringify(["VIEWS", "LIKES", "COMMENTS", "SHARES"].map(metric)),
      POSTS,
      scope.externalSubjectId,
    ],
  );
  const scopeHash = createHash("sha256")
    .update(JSON.stringify([connectionId, ...Object.values(scope)]))
    .digest();
  await client.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, window_after, window_before,
                      complete_for_window, covered_since, created_at, started_at, finished_at)
     VALUES ($1, $2, $3, $4, 'PROVIDER_A', 'SCAN', 'SUCCEEDED', now() - interval '60 days', now(), true, now(), now(), now(), now())`,
    [jobId, application, connectionId, scopeHash],
  );
  await client.query(
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
                                  return_url, status, connection_id, launch_token_hash, created_at, expires_at, result_expires_at)
     VALUES ($1, $2, $3, $4, 'PROVIDER_A', $5, '{PROFILE}', 'https://app.example/done', 'COMPLETED', $6, $7, now(),
             now() + interval '10 minutes', now() + interval '24 hours')`,
    [sessionId, application, scope.tenantKey, scope.externalSubjectId, registration, connectionId, randomBytes(32)],
  );
  await client.query("ANALYZE");
  await client.end();
  return { key: `${keyId}.${secret}`, scope, connectionId, jobId, sessionId };
}

/** A second application with a copy of the connection that has posts. */
export async function seedAnother(url: string, { connectionId, ...seeded }: Seeded): Promise<Seeded> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const [application, keyId, own] = [randomUUID(), randomUUID(), randomUUID()];
  const secret = randomBytes(32).toString("hex");
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     SELECT $1::uuid, 'another', display_name, providers, capabilities, tenant_keys, now(), now() FROM application WHERE slug = 'bench'`,
    [application],
  );
  await client.query(
    "INSERT INTO application_key (id, application_id, secret_hash, created_at) VALUES ($1, $2, $3, now())",
    [keyId, application, createHash("sha256").update(secret).digest()],
  );
  for (const table of ["connection", "provider_grant", "content_item", "job"]) {
    await client.query(
      `INSERT INTO ${table} SELECT copied.* FROM ${table} AS row, jsonb_populate_record(row, $2::jsonb ||
         jsonb_build_object('id', ${table === "connection" ? "$3::uuid" : "gen_random_uuid()"})) AS copied
        WHERE row.${table === "connection" ? "id" : "connection_id"} = $1`,
      [
        connectionId,
        JSON.stringify({ application_id: application, ...(table === "connection" ? {} : { connection_id: own }) }),
        ...(table === "connection" ? [own] : []),
      ],
    );
  }
  await client.query("ANALYZE");
  await client.end();
  return { ...seeded, key: `${keyId}.${secret}`, connectionId: own };
}
