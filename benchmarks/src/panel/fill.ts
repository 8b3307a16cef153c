import pg from "pg";

export interface Amounts {
  readonly clients: number;
  readonly auditEntries: number;
  readonly connections: number;
  readonly jobs: number;
}

export const USUAL_AMOUNTS: Amounts = { clients: 1_000, auditEntries: 100_000, connections: 20_000, jobs: 100_000 };

/**
 * Fills the database of a development environment with the data of a large deployment: clients with two keys and three
 * testers each, 20 admins with five active and five revoked keys, audit entries over 30 days by all of these,
 * connections of all clients with jobs over a week, and attempts of a day. Can be repeated: it deletes the data of an
 * earlier run first.
 */
export async function fill(databaseUrl: string, amounts: Amounts): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of STATEMENTS) {
      const named = statement.replaceAll(/:(\w+)/g, (text, name) => String(amounts[name as keyof Amounts] ?? text));
      await client.query(named);
    }
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

const STATEMENTS = [
  "DELETE FROM application WHERE slug LIKE 'filled-%'",
  "DELETE FROM admin_api_key WHERE label LIKE 'filled %'",
  "DELETE FROM admin_member WHERE email LIKE 'filled-%'",
  "DELETE FROM audit_entry WHERE summary LIKE 'Filled %'",
  `INSERT INTO application (id, slug, display_name, web_origins, return_urls, providers, capabilities, tenant_keys, created_at, updated_at)
   SELECT gen_random_uuid(), 'filled-' || lpad(n::text, 5, '0'), 'Filled client ' || n, ARRAY['https://filled-' || n || '.example'],
          ARRAY['https://filled-' || n || '.example/connected'], '{PROVIDER_A,PROVIDER_B,PROVIDER_C}', '{PROFILE,CONTENT_LIST}',
          ARRAY['tenant-' || n], now() - n * interval '1 hour', now() - n * interval '1 hour'
     FROM generate_series(1, :clients) n`,
  `INSERT INTO application_key (id, application_id, secret_hash, created_at, expires_at)
   SELECT gen_random_uuid(), id, sha256(id::text::bytea || n::text::bytea), created_at,
          CASE WHEN n = 2 THEN now() + ('x' || left(md5(slug), 6))::bit(24)::int % 365 * interval '1 day' END
     FROM application, generate_series(1, 2) n WHERE slug LIKE 'filled-%'`,
  `INSERT INTO tester (application_id, provider, provider_account_id)
   SELECT id, 'PROVIDER_A', 'account-' || n FROM application, generate_series(1, 3) n WHERE slug LIKE 'filled-%'`,
  `INSERT INTO admin_member (id, email, issuer, subject, added_at, added_by, bound_at)
   SELECT gen_random_uuid(), 'filled-' || n || '@example.test', 'https://issuer.example', 'filled-' || n, now() - n * interval '1 day', 'System', now()
     FROM generate_series(1, 20) n`,
  `INSERT INTO admin_api_key (id, member_id, created_by, issuer, subject, label, scope, secret_hash, created_at, expires_at, revoked_at, first_used_at, last_used_at)
   SELECT gen_random_uuid(), m.id, m.email, m.issuer, m.subject, 'filled ' || n, 'WRITE', sha256(m.email::bytea || n::text::bytea),
          now() - n * interval '1 day', now() + interval '60 days', CASE WHEN n > 5 THEN now() - interval '1 hour' END,
          now() - n * interval '1 day', now()
     FROM admin_member m, generate_series(1, 10) n WHERE m.email LIKE 'filled-%'`,
  `INSERT INTO audit_entry (id, at, actor, api_key_id, action, target_type, target_id, client_slug, summary)
   SELECT gen_random_uuid(), now() - n * interval '25 seconds', 'Via API key ' || left(k.id::text, 8), k.id, a.action, 'CLIENT',
          c.id::text, c.slug, 'Filled entry ' || n || ' of ' || c.slug || '.'
     FROM generate_series(1, :auditEntries) n
     JOIN (SELECT id, row_number() OVER () AS number FROM admin_api_key WHERE label LIKE 'filled %') k ON k.number = n % 200 + 1
     JOIN (SELECT id, slug, row_number() OVER (ORDER BY slug) AS number FROM application WHERE slug LIKE 'filled-%') c
       ON c.number = n * 7 % :clients + 1
     JOIN (VALUES ('Origin added', 1), ('Return URL added', 2), ('Policy changed', 3), ('Tenant key added', 4), ('Display name changed', 5)) a (action, number)
       ON a.number = n / 7 % 5 + 1`,
  `INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id, provider_account_id,
                           live_account_id, status, sync_status, capabilities, created_at, updated_at, next_scan_at, next_profile_at)
   SELECT gen_random_uuid(), c.id, 'tenant', 'user-' || n, r.provider, r.id, 'filled-' || n, 'filled-' || n,
          CASE WHEN n % 20 = 0 THEN 'RECONNECT_REQUIRED'::connection_status ELSE 'CONNECTED' END, 'READY', '{PROFILE,CONTENT_LIST}',
          now() - n * interval '1 minute', now(), 'infinity', 'infinity'
     FROM generate_series(1, :connections) n
     JOIN (SELECT id, row_number() OVER (ORDER BY slug) AS number FROM application WHERE slug LIKE 'filled-%') c ON c.number = n % :clients + 1
     JOIN (SELECT id, provider, row_number() OVER (ORDER BY provider) AS number FROM provider_registration
            WHERE status = 'PUBLISHED' LIMIT 3) r ON r.number = n % 3 + 1`,
  `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, background, error_code, created_at, started_at, finished_at)
   SELECT gen_random_uuid(), c.application_id, c.id, '\\x00', c.provider, (ARRAY['SCAN', 'PROFILE', 'METRICS'])[n % 3 + 1]::job_kind,
          CASE WHEN n % 50 = 0 THEN 'FAILED'::job_status ELSE 'SUCCEEDED' END, true, CASE WHEN n % 50 = 0 THEN 'UPSTREAM_UNAVAILABLE' END,
          now() - n * interval '5 seconds', now() - n * interval '5 seconds', now() - n * interval '5 seconds'
     FROM generate_series(1, :jobs) n
     JOIN (SELECT id, application_id, provider, row_number() OVER () AS number FROM connection WHERE provider_account_id LIKE 'filled-%') c
       ON c.number = n % :connections + 1`,
  `INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id, capabilities, return_url,
                                status, result_code, launch_token_hash, created_at, expires_at, result_expires_at)
   SELECT gen_random_uuid(), application_id, tenant_key, external_subject_id, provider, registration_id, capabilities, '',
          CASE WHEN number % 10 = 0 THEN 'DENIED'::connect_attempt_status ELSE 'COMPLETED' END,
          CASE WHEN number % 10 = 0 THEN 'USER_DENIED' END, sha256(id::text::bytea), now(), now() + interval '10 minutes', now() + interval '24 hours'
     FROM (SELECT *, row_number() OVER () AS number FROM connection WHERE provider_account_id LIKE 'filled-%') c WHERE number <= 5000`,
] as const;
