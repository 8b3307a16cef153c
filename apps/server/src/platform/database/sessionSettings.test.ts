import { readFile } from "node:fs/promises";
import { runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DIFFERENT_OBJECTS, DIFFERENT_VALUES } from "../testing/differentSettings.ts";
import { checkDatabase } from "./checkDatabase.ts";
import { SESSION_SETTINGS, SessionClient } from "./sessionSettings.ts";

const PAGE = new URL("../../../../../docs/operations/database.md", import.meta.url);
const WITHOUT_TLS = { requireTls: false };
/** Timeouts that no statement of these tests reaches, however busy the machine is. */
const VALUES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DIFFERENT_VALUES).map(([setting, value]) => [setting, setting.endsWith("_timeout") ? "'1h'" : value]),
);

let url: string;
let name: string;

beforeEach(async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  ({ url, name } = database);
  for (const statement of DIFFERENT_OBJECTS) await runStatement(url, statement);
});

/** The value in a session of that client; null if this version of PostgreSQL does not have the setting. */
async function valueIn(client: pg.Client, setting: string): Promise<string | null> {
  await client.connect();
  try {
    const { rows } = await client.query("SELECT current_setting($1, true) AS value", [setting]);
    return rows[0]?.value ?? null;
  } finally {
    await client.end();
  }
}

/** What a check says about the database, directly or as behind a pooler; null if it accepts it. */
async function refusal(address: string, isPooled = false): Promise<string | null> {
  const addresses = { url: address, directUrl: isPooled ? address : null };
  return checkDatabase(addresses, WITHOUT_TLS).then(
    () => null,
    ({ message }: Error) => message,
  );
}

/** Runs the statements that a message contains. */
async function obey(message: string): Promise<void> {
  for (const statement of message.match(/(?:ALTER|CREATE|GRANT|DROP) [^;]*;/g) ?? [])
    await runStatement(url, statement);
}

test("the operations page lists exactly the settings that each session sets, and names the others", async () => {
  const page = await readFile(PAGE, "utf8");
  const section = page.slice(page.indexOf("\n## Session settings"), page.indexOf("\n## Connections"));
  const rows = [...section.matchAll(/^\| `(\w+)` \| `(.*?)` \| (.*?) \|$/gm)].map(([, ...cells]) => cells);
  const isSet = SESSION_SETTINGS.filter(({ isOnlyChecked }) => !isOnlyChecked);
  expect(rows).toEqual(isSet.map(({ name, value, reason }) => [name, value, reason]));
  for (const setting of SESSION_SETTINGS) expect(section).toContain(`\`${setting.name}\``);
});

test.each(SESSION_SETTINGS.filter(({ isOnlyChecked }) => !isOnlyChecked))(
  "a session sets $name to $value, regardless of the database",
  async ({ name: setting, value }) => {
    const other = VALUES[setting];
    if (other === undefined) expect.unreachable(`${setting} needs a different value`);
    const before = await valueIn(new pg.Client({ connectionString: url }), setting);
    if (before === null) return;
    await runStatement(url, `ALTER DATABASE ${name} SET ${setting} = ${other}`);
    // The driver itself sends the encoding, which outranks the database's.
    if (setting !== "client_encoding") {
      expect(await valueIn(new pg.Client({ connectionString: url }), setting)).not.toBe(value);
    }
    expect(await valueIn(new SessionClient({ connectionString: url }), setting)).toBe(value);
  },
);

test("a pool gets sessions with the settings, and the error of a session that cannot set them", async () => {
  await runStatement(url, `ALTER DATABASE ${name} SET TimeZone = 'Asia/Kolkata'`);
  const pool = new pg.Pool({ Client: SessionClient, connectionString: url, max: 1 } as pg.PoolConfig);
  const { rows } = await pool.query("SHOW TimeZone");
  expect(rows).toEqual([{ TimeZone: "UTC" }]);
  await pool.end();
  // A session may set its own settings until its role loses the right to connect.
  const missing = new pg.Pool({ Client: SessionClient, connectionString: `${url}_missing`, max: 1 } as pg.PoolConfig);
  await expect(missing.query("SELECT 1")).rejects.toMatchObject({ code: "3D000" });
  await missing.end();
});

describe("a database that a pooler in transaction mode hides", () => {
  test("is refused with the statements that correct it, which are enough", async () => {
    const names = Object.keys(VALUES).filter((each) => each !== "client_encoding");
    for (const setting of names) {
      const isKnown = (await valueIn(new pg.Client({ connectionString: url }), setting)) !== null;
      if (isKnown) await runStatement(url, `ALTER DATABASE ${name} SET ${setting} = ${VALUES[setting]}`);
    }
    await runStatement(url, `ALTER ROLE social_connect IN DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    const message = (await refusal(url, true)) ?? expect.unreachable("it was accepted");
    expect(message).not.toContain("\n");
    // Any limit of the role is enough.
    const limits = SESSION_SETTINGS.filter(({ isLimit }) => isLimit).map((each) => each.name);
    for (const setting of names.filter((each) => !limits.includes(each))) {
      expect(message).toContain(`ALTER ROLE "social_connect" IN DATABASE "${name}" SET ${setting} = '`);
    }
    await obey(message);
    expect(await refusal(url, true)).toBeNull();
  });

  test("is refused without timeouts", async () => {
    await obey((await refusal(url, true)) ?? "");
    await runStatement(url, `ALTER ROLE social_connect IN DATABASE ${name} RESET statement_timeout`);
    expect(await refusal(url, true)).toMatch(/ statement_timeout is 0, .*SET statement_timeout = '10s'; and reconnect/);
  });

  test.each([
    ["TimeZone", "'Etc/UTC'"],
    ["TimeZone", "'GMT'"],
    ["DateStyle", "'ISO, DMY'"],
    ["search_path", '"$user", public'],
    ["extra_float_digits", "3"],
  ])("is accepted with %s = %s", async (setting, value) => {
    await obey((await refusal(url, true)) ?? "");
    await runStatement(url, `ALTER ROLE social_connect IN DATABASE ${name} SET ${setting} = ${value}`);
    expect(await refusal(url, true)).toBeNull();
  });

  test("is refused with a schema of the role's name before public", async () => {
    await obey((await refusal(url, true)) ?? "");
    await runStatement(url, `ALTER ROLE social_connect IN DATABASE ${name} SET search_path = "$user", public`);
    await runStatement(url, "CREATE SCHEMA social_connect");
    expect(await refusal(url, true)).toMatch(
      /^DATABASE_URL: .* search_path is "\$user", public, .*SET search_path = 'public';/,
    );
  });
});

describe("a database", () => {
  test.each([
    ["default_transaction_read_only", "on"],
    ["session_replication_role", "replica"],
  ])("with %s = %s is refused with the statement that corrects it", async (setting, value) => {
    await runStatement(url, `ALTER DATABASE ${name} SET ${setting} = ${value}`);
    const message = (await refusal(url)) ?? expect.unreachable("it was accepted");
    expect(message).toMatch(
      new RegExp(`^DATABASE_URL: .* ${setting} is ${value}.*ALTER ROLE .* SET ${setting} = '\\w+';$`),
    );
    const inUrl = `${url}?options=${encodeURIComponent(`-c ${setting}=${value}`)}`;
    expect(await refusal(inUrl)).toMatch(/remove it from the options of the URL/);
    for (const statement of message.match(/ALTER [^;]*;/g) ?? []) {
      const writer = new pg.Client({ connectionString: url });
      await writer.connect();
      await writer.query("SET default_transaction_read_only = off");
      await writer.query(statement);
      await writer.end();
    }
    expect(await refusal(url)).toBeNull();
  });

  test.each(["LATIN1", "SQL_ASCII", "WIN1252", "EUC_JP"])("with the encoding %s is refused", async (encoding) => {
    const other = `${name}_${encoding.toLowerCase()}`;
    await runStatement(
      url,
      `CREATE DATABASE ${other} ENCODING '${encoding}' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    onTestFinished(async () => void (await runStatement(url, `DROP DATABASE ${other}`)));
    const message = await refusal(url.replace(name, other));
    expect(message).toMatch(
      new RegExp(`^DATABASE_URL: .* its encoding is ${encoding}, .*CREATE DATABASE .*ENCODING 'UTF8'`),
    );
    expect(message).not.toContain("\n");
  });

  test("without a schema public is refused, and so is one whose tables are in another schema", async () => {
    await runStatement(url, "ALTER SCHEMA public RENAME TO social_connect");
    const moved = (await refusal(url)) ?? expect.unreachable("it was accepted");
    expect(moved).toMatch(
      /the service's tables are in the schema social_connect,.*ALTER SCHEMA social_connect RENAME TO public;/,
    );
    await obey(moved);
    expect(await refusal(url)).toBeNull();

    await runStatement(url, "DROP SCHEMA public CASCADE");
    const missing = (await refusal(url)) ?? expect.unreachable("it was accepted");
    expect(missing).toMatch(/it has no schema public,.*CREATE SCHEMA public/);
    await obey(missing);
    expect(await refusal(url)).toBeNull();
  });

  test.each([
    "schema=tenant_1",
    "search_path=tenant_1,public",
    "currentSchema=tenant_1",
    "options=-csearch_path%3Dtenant_1",
    "options=-c%20TimeZone%3DUTC%20-c%20search_path%3Dtenant_1%2Cpublic",
    "options=--search-path%3Dtenant_1",
    'options=-c%20search_path%3D"Tenant"',
  ])("whose URL asks for another schema is refused: %s", async (query) => {
    expect(await refusal(`${url}?${query}`)).toMatch(
      /^DATABASE_URL: .* its URL asks for another schema .* remove that/,
    );
  });

  test.each([
    "schema=public",
    "options=-csearch_path%3Dpublic",
    'options=-c%20search_path%3D"$user",public',
    "options=-c%20TimeZone%3DAsia/Tokyo%20-c%20DateStyle%3DGerman",
  ])("whose URL asks for public, or for other settings, is accepted: %s", async (query) => {
    expect(await refusal(`${url}?${query}`)).toBeNull();
  });
});
