import { randomBytes } from "node:crypto";
import pg from "pg";

/** Environment variable with the address of the database server of the test run; set by the global setup. */
export const DATABASE_SERVER_VARIABLE = "SOCIAL_CONNECT_TEST_DATABASE_SERVER";
/** Environment variable with the name of the migrated database that every test database is a copy of. */
export const TEMPLATE_DATABASE_VARIABLE = "SOCIAL_CONNECT_TEST_DATABASE_TEMPLATE";

export interface TestDatabase {
  readonly name: string;
  /** `postgres://…`, for the superuser of the test server. */
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A database for one test file, with all tables and no rows: a copy of the run's template (about 30 ms). Call it in
 * `beforeAll` and `drop()` it in `afterAll`. `migrated: false` gives one without any table.
 */
export async function testDatabase(options: { readonly migrated?: boolean } = {}): Promise<TestDatabase> {
  const server = variable(DATABASE_SERVER_VARIABLE);
  const template = options.migrated === false ? "template1" : variable(TEMPLATE_DATABASE_VARIABLE);
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = async () => void (await runStatement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { name, url: url.href, drop };
}

export async function runStatement<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of every schema as text, so that a column that is added later is searched too. */
export async function readTables(database: pg.Pool, without = /^$/) {
  const { rows: tables } = await database.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  const texts: { readonly table: string; readonly rows: readonly string[]; readonly text: string }[] = [];
  for (const { schema, name } of tables) {
    const table = `${schema}.${name}`;
    if (without.test(table)) continue;
    const found = await database.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${name}" AS t`);
    const rows = found.rows.map(({ row }) => row);
    texts.push({ table, rows, text: rows.join("\n") });
  }
  return texts;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run tests through the workspace's vitest configuration`);
  return value;
}
