import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Deployment } from "../../../system-tests/deployment/deployment.ts";

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
const REGISTRATION = "(SELECT id FROM provider_registration WHERE provider = 'PROVIDER_A')";

/**
 * A new application: one subject with 20 connections, one of which has 240 posts with 4 metrics each and was scanned; and 200 other
 * subjects with as many posts, so that the tables have a size.
 */
export async function seed({ database, operator }: Deployment): Promise<Seeded> {
  const created = await operator.createApplication();
  const application = await operator.clientId?.(created);
  const scope = { tenantKey: created.tenantKeys[0], externalSubjectId: "user" };
  const [connectionId, jobId, sessionId] = [randomUUID(), randomUUID(), randomUUID()];
  await database.query(
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, display_name, handle,
                             profile_observed_at, last_successful_sync_at, created_at, updated_at)
     SELECT CASE n WHEN 1 THEN $1::uuid ELSE gen_random_uuid() END, $2, $3,
            CASE WHEN n <= $5 THEN $4 ELSE $4 || n END, 'PROVIDER_A', ${REGISTRATION},
            'account-' || n, 'account-' || n, 'CONNECTED', 'READY', '{PROFILE,CONTENT_LIST,CONTENT_METRICS}', 'Account ' || n,
            '@account-' || n, now(), now(), now() + n * interval '1 second', now()
       FROM generate_series(1, $5::int + $6::int) n`,
    [connectionId, application, scope.tenantKey, scope.externalSubjectId, CONNECTIONS, OTHER_SUBJECTS],
  );
  await database.query(
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, status, access_token_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), application_id, registration_id, id, 'ACTIVE', '', now(), now() FROM connection
      WHERE application_id = $1`,
    [application],
  );
  const measured = { value: "1234567", availability: "AVAILABLE", reason: null };
  const metric = (name: string) => ({ name, ...measured, sourceField: name });
  await database.query(
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, canonical_url, title, published_at, availability, observed_at, observed_since, metrics, metrics_observed_at)
     SELECT gen_random_uuid(), application_id, id, 'post-' || n, 'VIDEO', 'https://video.example/' || n, 'Post number ' || n, now() - n * interval '6 hours', 'AVAILABLE', now(), now(), $3, now()
       FROM connection, generate_series(1, $4::int) n
      WHERE application_id = $2 AND (id = $1 OR external_subject_id <> $5)`,
    [
      ...[connectionId, application, JSON.stringify(["VIEWS", "LIKES", "COMMENTS", "SHARES"].map(metric))],
      ...[POSTS, scope.externalSubjectId],
    ],
  );
  const scopeHash = createHash("sha256")
    .update(JSON.stringify([connectionId, ...Object.values(scope)]))
    .digest();
  await database.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, window_after, window_before,
                      complete_for_window, covered_since, created_at, started_at, finished_at)
     VALUES ($1, $2, $3, $4, 'PROVIDER_A', 'SCAN', 'SUCCEEDED', now() - interval '60 days', now(), true, now(), now(), now(), now())`,
    [jobId, application, connectionId, scopeHash],
  );
  await database.query(
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id, capabilities,
                                  return_url, status, connection_id, launch_token_hash, created_at, expires_at, result_expires_at)
     VALUES ($1, $2, $3, $4, 'PROVIDER_A', ${REGISTRATION}, '{PROFILE}', 'https://app.example/done', 'COMPLETED', $5, $6, now(),
             now() + interval '10 minutes', now() + interval '24 hours')`,
    [sessionId, application, scope.tenantKey, scope.externalSubjectId, connectionId, randomBytes(32)],
  );
  await database.query("ANALYZE");
  return { key: created.key, scope, connectionId, jobId, sessionId };
}
