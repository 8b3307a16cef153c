import type { Pool } from "pg";
import { appScopedIdFor } from "../../../apps/simulator/src/accounts/ids.ts";
import { providerSlug } from "../../../packages/domain/src/index.ts";
import { PROVIDER_CLIENT_ID } from "../../../packages/testkit/src/harness/deployment.ts";
import { control } from "../../../packages/testkit/src/simulatorControl.ts";
import type { RunContext } from "../context.ts";
import type { AccountFact } from "../facts.ts";

/** Testers are entered by an admin and are not data of a connection. */
const MAY_NAME_ACCOUNTS = ["public.tester"];
/** Prefixes of the simulator's tokens: no plaintext token may be stored, for any account. */
const TOKEN = /ya29\.a0[\w-]{20}|\b1\/\/0[\w-]{20}|\bact\.[\w-]{20}|\brft\.[\w-]{20}|IGAA\w{20}/;
const SUBJECT = /subject-\d{4}-\d{2}-[ab]/g;

interface TableText {
  readonly table: string;
  readonly rows: readonly string[];
  readonly text: string;
}

/** An account without a connection has left nothing in any table of any schema: no id, name, text or post of it. */
export async function checkTraces({ facts, database, simulatorUrl, violate }: RunContext): Promise<void> {
  const tables = await readTables(database.pool);
  const { rows } = await database.pool.query<{ id: string }>("SELECT provider_account_id AS id FROM connection");
  const standing = new Set(rows.map(({ id }) => id));
  for (const account of facts.accounts.values()) {
    if (standing.has(account.accountId)) continue;
    const needles = await needlesOf(simulatorUrl, account);
    for (const { table, rows, text } of tables) {
      const needle = needles.find((candidate) => text.includes(candidate));
      if (needle === undefined) continue;
      const row = rows.find((candidate) => candidate.includes(needle)) ?? "";
      violate("no trace of an erased account", `${account.name}: ${needle} stands in ${table}: ${row.slice(0, 400)}`);
    }
  }
  for (const { table, rows } of tables) {
    if (rows.some((row) => TOKEN.test(row))) violate("no token is stored in clear", `a plaintext token in ${table}`);
  }
}

/** After the results of attempts have expired, only existing connections contain a subject. */
export async function checkSubjects({ database, violate }: RunContext): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>("SELECT external_subject_id AS id FROM connection");
  const standing = new Set(rows.map(({ id }) => id));
  for (const { table, text } of await readTables(database.pool)) {
    const left = [...new Set(text.match(SUBJECT) ?? [])].filter((subject) => !standing.has(subject));
    if (left.length > 0) violate("no trace of an erased subject", `${left.slice(0, 5).join(", ")} in ${table}`);
  }
}

/** Every row of every table as text, so that a column that is added later is searched too. */
async function readTables(pool: Pool): Promise<TableText[]> {
  const { rows: names } = await pool.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'probe') ORDER BY 1, 2`,
  );
  const tables: TableText[] = [];
  for (const { schema, name } of names) {
    const table = `${schema}.${name}`;
    if (MAY_NAME_ACCOUNTS.includes(table)) continue;
    const found = await pool.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${name}" AS t`);
    const rows = found.rows.map(({ row }) => row);
    tables.push({ table, rows, text: rows.join("\n") });
  }
  return tables;
}

/** Titles and handles contain the account's name; post ids and account ids do not. */
async function needlesOf(simulatorUrl: string, { name, provider, accountId }: AccountFact): Promise<string[]> {
  const path = `/accounts/${providerSlug(provider)}/${name}/posts`;
  const { posts } = await control<{ posts: { id: string }[] }>(simulatorUrl, "GET", path);
  // At some providers a second id is in use.
  const scopedId = appScopedIdFor(accountId, PROVIDER_CLIENT_ID);
  return [name, accountId, scopedId, ...posts.map(({ id }) => id)];
}
