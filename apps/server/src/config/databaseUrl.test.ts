import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { checkDatabase } from "../platform/database/checkDatabase.ts";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { readSettings } from "./settings.ts";
import { settingsError } from "./testing/settingsError.ts";

useFolderPerTest();

const KEY = `k:${Buffer.alloc(32, 7).toString("base64")}`;
const SETTINGS = ["DATABASE_URL", "DATABASE_DIRECT_URL"] as const;

/** The environment with a URL in one of the two settings. */
function environment(name: (typeof SETTINGS)[number], url: string): Record<string, string> {
  const other = { DATABASE_URL: "postgres://user@pooler/service", ENCRYPTION_KEYS: KEY };
  return { ...other, [name]: url };
}

/** What the driver connects to. */
function driverOf(url: string): readonly unknown[] {
  const settings = readSettings(environment("DATABASE_URL", url));
  const { user, password, host, port, database } = new pg.Client({
    connectionString: settings.databaseUrl?.reveal() ?? "",
  });
  return [user, password, host, port, database];
}

const WORKING: readonly (readonly [string, readonly unknown[]])[] = [
  ["postgres://u:p@db:5433/service", ["u", "p", "db", 5433, "service"]],
  ["postgresql://u:p@db/service", ["u", "p", "db", 5432, "service"]],
  ["POSTGRES://u:p@db/service", ["u", "p", "db", 5432, "service"]],
  ["postgres://u:p@db:/service", ["u", "p", "db", 5432, "service"]],
  ["  postgres://u:p@db/service\n", ["u", "p", "db", 5432, "service"]],
  ["\uFEFFpostgres://u:p@db/service", ["u", "p", "db", 5432, "service"]],
  ["postgres://u:%23%2F%3F%40%25%3A%20@db/service", ["u", "#/?@%: ", "db", 5432, "service"]],
  ["postgres://u:a b%2Fc@db/service", ["u", "a b/c", "db", 5432, "service"]],
  ["postgres://u:a@b@db/service", ["u", "a@b", "db", 5432, "service"]],
  ["postgres://u:a:b@db/service", ["u", "a:b", "db", 5432, "service"]],
  ["postgres://u:{a|b}[c]^`\\&=+$!'()*@db/service", ["u", "{a|b}[c]^`\\&=+$!'()*", "db", 5432, "service"]],
  ["postgres://u:pässwörd🔑@db/service", ["u", "pässwörd🔑", "db", 5432, "service"]],
  ["postgres://u:p%C3%A4ss@db/service", ["u", "päss", "db", 5432, "service"]],
  ["postgres://us%40er:p@db/service", ["us@er", "p", "db", 5432, "service"]],
  ["postgres://u:p@10.0.0.7/service", ["u", "p", "10.0.0.7", 5432, "service"]],
  ["postgres://u:p@[::1]:5433/service", ["u", "p", "::1", 5433, "service"]],
  ["postgres://u:p@%2Fvar%2Frun%2Fpostgresql/service", ["u", "p", "/var/run/postgresql", 5432, "service"]],
  ["postgres://u:p@/service?host=/var/run/postgresql", ["u", "p", "/var/run/postgresql", 5432, "service"]],
  ["postgres:///service?host=/cloudsql/a:b:c&user=u&password=p", ["u", "p", "/cloudsql/a:b:c", 5432, "service"]],
  ["postgres://u:p@other:1/service?host=db&port=5433", ["u", "p", "db", 5433, "service"]],
  ["postgres://u:p@other/service?host=::1", ["u", "p", "::1", 5432, "service"]],
  ["postgres://u:p@db/my%20data%25base", ["u", "p", "db", 5432, "my data%base"]],
  ["postgres://u:p@db/a%3Bb%3A%26%2B", ["u", "p", "db", 5432, "a;b:&+"]],
  ["postgres://u:p@db/datenbänk", ["u", "p", "db", 5432, "datenbänk"]],
  ["postgres://u:p@db/s?sslmode=verify-full&channel_binding=require", ["u", "p", "db", 5432, "s"]],
  [
    "postgres://u:p@db/s?connect_timeout=10&pgbouncer=true&target_session_attrs=read-write",
    ["u", "p", "db", 5432, "s"],
  ],
];

test.each(WORKING)("%s reaches the driver decoded", (url, expected) => {
  expect(driverOf(url)).toEqual(expected);
});

const ENCODE = /write .*%/;
/** A secret in each is `canary`, in parts where a part may be shown. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["postgres://u:canary#canary@db/s", /contains # without encoding: .* write # as %23/],
  ["postgres://u:canary/canary@db/s", /contains @ after the host: .*write \/ as %2F/],
  ["postgres://u:1/canary@db/s", ENCODE],
  ["postgres://u:canary?canary@db/s", /contains @ after the host: .*\? as %3F/],
  ["postgres://u:canary@canary/canary@db/s", ENCODE],
  ["postgres://u:canary@canary?canary@db/s", ENCODE],
  ["postgres://u:canary:canary/s", /not a port from 1 to 65535 .*write \/ as %2F|IPv6/],
  ["postgres://u:100%canary@db/s", /not UTF-8: write % as %25/],
  ["postgres://u:canary%@db/s", /contains % that begins no percent-encoded character: write % as %25/],
  ["postgres://u:canary%ff@db/s", /encode other characters as UTF-8/],
  ["postgres://u:canary%00@db/s", /%00, which PostgreSQL does not accept/],
  ["postgres://u:canary@db", /names no database: add \/database after the host/],
  ["postgres://u:canary@db/", /names no database/],
  ["postgres://u:canary@db?sslmode=require", /names no database/],
  ["postgres://u:canary@/s", /names no host: add it before the database/],
  ["postgres://u:canary@:5432/s", /names no host/],
  ["postgres:///s", /names no host/],
  ["postgres://u:canary@a,b/s", /names several hosts, .*: name the primary/],
  ["postgres://u:canary@a:5432,b:5433/s", /names several hosts/],
  ["postgres://u:canary@db/s?host=a,b", /names several hosts/],
  ["postgres://u:canary@::1:5432/s", /IPv6 address without brackets: write \[address\]:port/],
  ["postgres://u:canary@db:543x/s", /not a port from 1 to 65535/],
  ["postgres://u:canary@db:0/s", /not a port/],
  ["postgres://u:canary@db:65536/s", /not a port/],
  ["postgres://u:canary@db/s?port=none", /not a port/],
  ["postgres://u:canary@db/s?host=other:5433", /write the port as the parameter port/],
  ["postgres://u:canary@d b/s", /has a character that must be percent-encoded/],
  ["postgres://u:canary@db/a/b", /name of its database contains \/, \? or #/],
  ["postgres://u:canary@db/s/?sslmode=require", /write only one \/ after the host/],
  ["postgres://u:canary@db/a%3Fb", /rename a database/],
  ["postgres://u:canary@db/s?sslmode=verify_full", /its sslmode has an unknown value: use disable, .* or verify-full/],
  ["postgres://u:canary@db/s?sslmode=allow", /its sslmode has an unknown value/],
  ["postgres://u:canary@db/s?ssl=false", /use true \(to switch TLS off use sslmode=disable\)/],
  ["postgres://u:canary@db/s?client_encoding=latin1", /its client_encoding has an unknown value: use UTF8/],
  ["postgres://u:canary@db/s?target_session_attrs=standby", /use any, read-write or primary/],
  ["postgres://u:canary@db/s?sslmod=require", /its parameter sslmod is unknown: remove it, or correct its name/],
  ["postgres://db/s?user=u&password=p&canary", /its parameter number 3 is unknown: .*a password with & needs %26/],
  ["postgres://u:canary@db/s?sslmode=disable&sslmode=require", /its parameter sslmode appears twice: keep one/],
  ["jdbc:postgresql://db/s?user=u&password=canary", /is a JDBC URL: write postgres:\/\//],
  ["host=db dbname=s user=u password=canary", /form of keywords and values .*: write postgres:\/\//],
  ["'postgres://u:canary@db/s'", /quotation marks, .*: remove them/],
  ['"postgres://u:canary@db/s', /quotation marks/],
  ["“postgres://u:canary@db/s”", /quotation marks/],
  ["DATABASE_URL=postgres://u:canary@db/s", /begins with the name of a variable: keep only what follows/],
  ["psql postgres://u:canary@db/s", /begins with the command psql: keep only the URL/],
  ["postgres://u:canary@db/s\npostgres://u:canary@db/t", /contains a line break or another control character/],
  ["mysql://u:canary@db/s", /does not begin with postgres:\/\/ or postgresql:\/\//],
  ["postgresql+asyncpg://u:canary@db/s", /does not begin with postgres:\/\//],
  ["u:canary@db/s", /does not begin with postgres:\/\//],
  ["canary", /does not begin with postgres:\/\//],
  ["postgres:u:canary@db/s", /\/\/ is missing after the colon/],
  ["postgres:/u:canary@db/s", /\/\/ is missing after the colon/],
  ["/var/run/postgresql/canary", /is a path: write postgres:\/\/user:password@%2Fpath/],
];

test.each(REFUSED)("%s is refused with the reason and what to write", (url, expected) => {
  for (const name of SETTINGS) {
    const { problems, message } = settingsError(environment(name, url));
    expect(problems.map((problem) => problem.name)).toEqual([name]);
    expect(message).toMatch(new RegExp(`^${name}: (?:it|its|the|what) .+\\. Set it to .+\\.$`));
    expect(message).toMatch(expected);
    expect(message).not.toContain("canary");
  }
});

test("the same text in a file is refused with the same message and the name of the file's setting", () => {
  const path = join(folder, "url");
  writeFileSync(path, "postgres://u:canary#canary@db/s\n");
  const { message } = settingsError({ DATABASE_URL_FILE: path, ENCRYPTION_KEYS: KEY });
  expect(message).toMatch(/^DATABASE_URL: it contains # .*; its value comes from DATABASE_URL_FILE\. Set it to/);
  expect(message).not.toContain("canary");
});

test.each(["a#b", "a/b", "a?b", "a@b", "a%b", "a%2Fb", "a:b", "a b%", "päss🔑", "'\"\\", "&=+$"])(
  "connects with the password %s, and with no other",
  async (password) => {
    const { url, drop } = await testDatabase();
    const role = `test_${Math.random().toString(36).slice(2)}`;
    await runStatement(url, `CREATE ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
    onTestFinished(async () => {
      await drop();
      await runStatement(url.replace(/\/[^/]+$/, "/postgres"), `DROP ROLE ${role}`);
    });
    const { host, pathname } = new URL(url);
    const connect = (text: string) => {
      const { databaseUrl } = readSettings(
        environment("DATABASE_URL", `postgres://${role}:${text}@${host}${pathname}`),
      );
      return checkDatabase({ url: databaseUrl?.reveal() ?? "", directUrl: null }, { requireTls: false });
    };
    await connect(encodeURIComponent(password));
    await expect(connect("other")).rejects.toThrow(
      /^DATABASE_URL: the database at .* cannot be used: it refuses the password; correct the user or the password$/,
    );
  },
);
