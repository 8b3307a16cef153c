import { runStatement } from "../../packages/testkit/src/database.ts";

const APPLICATIONS = 20;
const CONNECTIONS_OF_EACH = 50;
const POSTS_OF_EACH = 20;

/** Rows of several applications in the tables that grow. */
export async function fillDatabase(url: string): Promise<void> {
  const statements = [
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     SELECT gen_random_uuid(), 'filled-' || n, 'Filled', '{PROVIDER_B}', '{PROFILE,CONTENT_LIST}', '{tenant}', now(), now()
       FROM generate_series(1, ${APPLICATIONS}) n`,
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes,
                                        capabilities, all_applications, created_at, updated_at)
     VALUES (gen_random_uuid(), 'PROVIDER_B', 'DISABLED', 'filled', '', '{}', '{}', '{PROFILE}', false, now(), now())`,
    `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                                  capabilities, return_url, status, launch_token_hash, created_at, expires_at,
                                  result_expires_at)
     SELECT gen_random_uuid(), a.id, 'tenant', 'user-' || n, 'PROVIDER_B', r.id, '{PROFILE}', 'https://app.example/',
            'COMPLETED', sha256(convert_to(a.id::text || n, 'UTF8')), now(), now(), now() + interval '1 day'
       FROM application a, provider_registration r, generate_series(1, ${CONNECTIONS_OF_EACH}) n`,
    `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id,
                             provider_account_id, live_account_id, status, sync_status, capabilities, created_at,
                             updated_at)
     SELECT gen_random_uuid(), a.id, 'tenant', 'user-' || n, 'PROVIDER_B', r.id, 'account-' || n, 'account-' || n,
            'RECONNECT_REQUIRED', 'READY', '{PROFILE}', now(), now()
       FROM application a, provider_registration r, generate_series(1, ${CONNECTIONS_OF_EACH}) n`,
    `INSERT INTO provider_grant (id, application_id, registration_id, connection_id, attempt_id, status,
                                 access_token_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), c.application_id, c.registration_id, c.id, t.id, 'GONE', '', now(), now()
       FROM connection c JOIN connect_attempt t USING (application_id, external_subject_id)`,
    `INSERT INTO content_item (id, application_id, connection_id, provider_content_id, kind, availability, observed_at,
                               metrics)
     SELECT gen_random_uuid(), c.application_id, c.id, 'post-' || n, 'VIDEO', 'AVAILABLE', now(), '[]'
       FROM connection c, generate_series(1, ${POSTS_OF_EACH}) n`,
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, created_at, finished_at)
     SELECT gen_random_uuid(), c.application_id, c.id, '', 'PROVIDER_B', 'SCAN', 'SUCCEEDED', now(), now()
       FROM connection c`,
    `INSERT INTO identity_attempt (id, application_id, tenant_key, return_url, status, launch_token_hash,
                                   result_proof_hash, created_at, expires_at, result_expires_at)
     SELECT gen_random_uuid(), id, 'tenant', 'https://app.example/', 'EXPIRED', sha256(convert_to(id::text, 'UTF8')), '',
            now(), now(), now() + interval '1 day' FROM application`,
    `INSERT INTO import_line (id, application_id, line_hash, tenant_key, external_subject_id, provider, status, created_at)
     SELECT gen_random_uuid(), id, '', 'tenant', 'nobody', 'PROVIDER_B', 'REFUSED', now() FROM application`,
    `INSERT INTO revoke_settlement (revoke_job_id, application_id, tenant_key, external_subject_id, provider, created_at)
     SELECT gen_random_uuid(), id, 'tenant', 'nobody', 'PROVIDER_B', now() FROM application`,
    `INSERT INTO provider_revocation (revocation_id, key_hash, application_id, provider, ended_at)
     SELECT gen_random_uuid(), '', id, 'PROVIDER_B', now() FROM application`,
    `INSERT INTO event_endpoint (id, application_id, url, types, secret_sealed, created_at, updated_at)
     SELECT gen_random_uuid(), id, 'https://app.example/events', '{}', '', now(), now() FROM application`,
    `INSERT INTO event (id, application_id, type, occurred_at)
     SELECT gen_random_uuid(), id, 'test', now() FROM application, generate_series(1, ${CONNECTIONS_OF_EACH}) n`,
    `INSERT INTO event_delivery (id, application_id, event_id, endpoint_id, status, created_at)
     SELECT gen_random_uuid(), e.application_id, e.id, p.id, 'SUCCEEDED', now()
       FROM event e JOIN event_endpoint p USING (application_id)`,
    "ANALYZE",
  ];
  for (const statement of statements) await runStatement(url, statement);
}
