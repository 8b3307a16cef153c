import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations, MIGRATIONS_FOLDER } from "../../apps/server/src/platform/migrations.ts";
import { NEEDED_BY_PREVIOUS_RELEASE } from "../../apps/server/src/platform/previousRelease.ts";
import type { TestDatabase } from "../../packages/testkit/src/index.ts";
import { testDatabase } from "../../packages/testkit/src/index.ts";

/** The last migration before the column. */
const BEFORE = "20261123070007_room_for_updates";
/** More than a batch. */
const POSTS = 2_500;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

async function migrateUntil(last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "social-connect-migrations-"));
  for (const name of await readdir(MIGRATIONS_FOLDER)) {
    if (/^\d{14}_/.test(name) && name <= last) {
      await cp(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
    }
  }
  await applyMigrations(database.url, folder);
  await rm(folder, { recursive: true, force: true });
}

/** Two applications, each with a connection, its grant, an unfinished attempt and its grant, as the previous release inserts them. */
const ACCOUNTS = `
  INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes, created_at, updated_at)
  VALUES (gen_random_uuid(), 'PROVIDER_A', 'PUBLISHED', '', '', '{}', '{}', now(), now());
  INSERT INTO application (id, slug, display_name, created_at, updated_at)
  SELECT gen_random_uuid(), 'application-' || n, '', now(), now() FROM generate_series(1, 2) n;
  INSERT INTO connection (id, application_id, tenant_key, external_subject_id, provider, registration_id, provider_account_id,
                          status, sync_status, created_at, updated_at)
  SELECT gen_random_uuid(), a.id, '', '', 'PROVIDER_A', r.id, a.slug, 'CONNECTED', 'PENDING', now(), now()
    FROM application a, provider_registration r;
  INSERT INTO connect_attempt (id, application_id, tenant_key, external_subject_id, provider, registration_id, return_url, status,
                               launch_token_hash, created_at, expires_at, result_expires_at)
  SELECT gen_random_uuid(), a.id, '', '', 'PROVIDER_A', r.id, '', 'EXCHANGING', sha256(a.slug::bytea), now(), now(), now()
    FROM application a, provider_registration r;`;
const GRANTS = `
  INSERT INTO provider_grant (id, registration_id, connection_id, attempt_id, status, access_token_sealed, created_at, updated_at)
  SELECT gen_random_uuid(), registration_id, id, NULL, 'ACTIVE'::grant_status, '', now(), now() FROM connection
  UNION ALL SELECT gen_random_uuid(), registration_id, NULL, id, 'PENDING', '', now(), now() FROM connect_attempt;`;

function insertPosts(from: number, to: number): Promise<unknown> {
  return client.query(
    `INSERT INTO content_item (id, connection_id, provider_content_id, kind, availability, observed_at, metrics)
     SELECT gen_random_uuid(), id, 'post-' || n, 'VIDEO', 'AVAILABLE', now(), '[]' FROM connection, generate_series($1::int, $2::int) n
         ON CONFLICT (connection_id, provider_content_id) DO NOTHING`,
    [from, to],
  );
}

async function count(query: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${query}`);
  return rows[0]?.count ?? Number.NaN;
}

const POSTS_OF_OTHERS =
  "content_item p JOIN connection c ON c.id = p.connection_id WHERE p.application_id IS DISTINCT FROM c.application_id";
const GRANTS_OF_OTHERS = `provider_grant g LEFT JOIN connection c ON c.id = g.connection_id
  LEFT JOIN connect_attempt t ON t.id = g.attempt_id
  WHERE g.application_id IS DISTINCT FROM coalesce(c.application_id, t.application_id, g.id)`;

test("rows that exist, and rows that the previous release inserts, get the application of their connection or attempt", async () => {
  await migrateUntil(BEFORE);
  await client.query(ACCOUNTS);
  await client.query(GRANTS);
  // The attempt of this grant was deleted.
  await client.query(
    "UPDATE provider_grant SET attempt_id = NULL WHERE id IN (SELECT id FROM provider_grant WHERE status = 'PENDING' LIMIT 1)",
  );
  await insertPosts(1, POSTS);
  await applyMigrations(database.url);
  expect(await count(POSTS_OF_OTHERS)).toBe(0);
  expect(await count(GRANTS_OF_OTHERS)).toBe(0);
  expect(await count("provider_grant WHERE application_id = id")).toBe(1);

  await client.query("DELETE FROM provider_grant");
  await client.query(GRANTS);
  await insertPosts(1, POSTS + 1);
  expect(await count("content_item")).toBe(2 * (POSTS + 1));
  expect(await count(POSTS_OF_OTHERS)).toBe(0);
  expect(await count(GRANTS_OF_OTHERS)).toBe(0);
});

test("a deleted attempt leaves its grant with the application", async () => {
  await client.query("DELETE FROM connect_attempt");
  expect(await count("provider_grant WHERE attempt_id IS NULL AND connection_id IS NULL")).toBe(2);
  expect(await count("provider_grant g JOIN application a ON a.id = g.application_id")).toBe(4);
});

test("what only the previous release needs exists, and can be dropped", async () => {
  const remaining = async () => {
    const names = NEEDED_BY_PREVIOUS_RELEASE.map(({ name }) => name);
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) UNION ALL SELECT tgname FROM pg_trigger WHERE tgname = ANY ($1)
       UNION ALL SELECT proname FROM pg_proc WHERE proname = ANY ($1)`,
      [names],
    );
    return rows.map(({ name }) => name);
  };
  expect(new Set(await remaining())).toEqual(new Set(NEEDED_BY_PREVIOUS_RELEASE.map(({ name }) => name)));
  for (const { drop } of NEEDED_BY_PREVIOUS_RELEASE) await client.query(drop);
  expect(await remaining()).toEqual([]);
});
