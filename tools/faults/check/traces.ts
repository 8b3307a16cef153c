import type { Pool } from "pg";
import { PROVIDER_CLIENT_ID } from "../../../apps/server/src/dev/seedData.ts";
import { appScopedIdFor } from "../../../apps/simulator/src/accounts/ids.ts";
import { control } from "../control.ts";
import type { AccountFact } from "../facts.ts";
import { providerKey } from "../roster.ts";
import type { CheckContext } from "./context.ts";

/** Testers are entered by an admin and are no data of a connection. */
const MAY_NAME_ACCOUNTS = ["public.tester"];
/** How the simulator's tokens begin: in clear, none may be stored, of whichever account. */
const TOKEN = /ya29\.a0[\w-]{20}|\b1\/\/0[\w-]{20}|\bact\.[\w-]{20}|\brft\.[\w-]{20}|IGAA\w{20}/;
const SUBJECT = /subject-\d{4}-\d{2}-[ab]/g;

interface TableText {
  readonly table: string;
  readonly rows: readonly string[];
  readonly text: string;
}

/** An account without a connection has left nothing in any table of any schema: no id, name, text or post of it. */
export async function checkTraces({ facts, database, simulatorUrl, violate }: CheckContext): Promise<void> {
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
    if (rows.some((row) => TOKEN.test(row))) violate("no token is stored in clear", `one stands in ${table}`);
  }
}

/** Once the results of attempts are past their day, only a connection that stands names its subject. */
export async function checkSubjects({ database, violate }: CheckContext): Promise<void> {
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

/** Texts and handles hold the account's name; post ids and the ids of the account do not. */
async function needlesOf(simulatorUrl: string, { name, provider, accountId }: AccountFact): Promise<string[]> {
  const path = `/accounts/${providerKey(provider)}/${name}/posts`;
  const { posts } = await control<{ posts: { id: string }[] }>(simulatorUrl, "GET", path);
  const scoped = provider === "PROVIDER_C" ? [appScopedIdFor(accountId, PROVIDER_CLIENT_ID)] : [];
  return [name, accountId, ...scoped, ...posts.map(({ id }) => id)];
}
