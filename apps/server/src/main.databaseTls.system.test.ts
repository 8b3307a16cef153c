import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, reservePort, runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "./config/settings.ts";
import { type RunningServer, startServer } from "./main.ts";
import { checkDatabase } from "./platform/database/checkDatabase.ts";
import { openDatabase } from "./platform/database/database.ts";
import { applyMigrations } from "./platform/database/migrations.ts";
import { giveToDatabaseUser } from "./platform/embeddedDatabase/binaries.ts";
import { startTemporaryDatabase } from "./platform/testing/temporaryDatabase.ts";
import { prepareTaskQueues } from "./worker/boss.ts";

/** A PostgreSQL with a certificate of a private authority. Its `pg_hba.conf` accepts only TLS connections. */
async function startTlsDatabase() {
  const database = await startTemporaryDatabase();
  const client = new pg.Client({ connectionString: database.url("postgres") });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string; hba_file: string }>(
      "SELECT current_setting('data_directory') AS data_directory, current_setting('hba_file') AS hba_file",
    );
    const { data_directory: dataDirectory = "", hba_file: hbaFile = "" } = rows[0] ?? {};
    const folder = join(dataDirectory, "certificates");
    const authority = await certify("Test authority", { isAuthority: true });
    const other = await certify("Test authority", { isAuthority: true });
    const server = await certify("Test database", { authority });
    await mkdir(folder);
    const write = async (name: string, content: string) => {
      const file = join(folder, name);
      await writeFile(file, content, { mode: 0o600 });
      await giveToDatabaseUser(file);
      return file;
    };
    const [authorityFile, otherAuthority] = [
      await write("authority.crt", authority.cert),
      await write("other.crt", other.cert),
    ];
    await client.query("CREATE DATABASE service");
    await client.query(`ALTER SYSTEM SET ssl_cert_file = '${await write("server.crt", server.cert)}'`);
    await client.query(`ALTER SYSTEM SET ssl_key_file = '${await write("server.key", server.private)}'`);
    await giveToDatabaseUser(folder);
    await client.query("ALTER SYSTEM SET ssl = on");
    await writeFile(hbaFile, (await readFile(hbaFile, "utf8")).replaceAll(/^host(?=\s)/gm, "hostssl"));
    await client.query("SELECT pg_reload_conf()");
    const url = new URL(database.url("service"));
    url.hostname = "localhost";
    url.searchParams.set("sslmode", "verify-full");
    url.searchParams.set("sslrootcert", authorityFile);
    // A reload is only a signal, which the server handles asynchronously.
    await eventually(() => runStatement(url.href, "SELECT 1"));
    return { url, otherAuthority, stop: database.stop };
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    await client.end();
  }
}

type Certificate = Awaited<ReturnType<typeof generate>>;

/** An authority, or a certificate of one for localhost. */
function certify(
  value: string,
  { authority, isAuthority = false }: { authority?: Certificate; isAuthority?: boolean },
) {
  return generate([{ name: "commonName", value }], {
    keyType: "ec",
    algorithm: "sha256",
    ...(authority && { ca: { key: authority.private, cert: authority.cert } }),
    extensions: [
      { name: "basicConstraints", cA: isAuthority, critical: isAuthority },
      isAuthority
        ? { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true }
        : { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
}

const PEM = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`;
/** Node ignores each of these as the file of an authority. */
const NO_CERTIFICATES = {
  "file without a certificate": "the certificate is in the safe\n",
  "empty file": "",
  "key instead of a certificate": PEM("PRIVATE KEY"),
};
const folder = mkdtempSync(join(tmpdir(), "social-connect-authorities-"));
const REQUIRED = { requireTls: true };
let database: Awaited<ReturnType<typeof startTlsDatabase>>;
let wrong: Readonly<Record<Fault, string>>;

type Fault =
  | "plain"
  | "wrong authority"
  | "wrong host"
  | "missing authority"
  | "only public authorities"
  | "file without a certificate"
  | "empty file"
  | "key instead of a certificate";

beforeAll(async () => {
  database = await startTlsDatabase();
  wrong = {
    plain: addressWith((url) => {
      url.search = "";
    }),
    "wrong authority": addressWith(({ searchParams }) => searchParams.set("sslrootcert", database.otherAuthority)),
    // The same server under a host name that its certificate does not contain.
    "wrong host": addressWith((url) => {
      url.hostname = "127.0.0.1";
    }),
    "missing authority": addressWith(({ searchParams }) => searchParams.set("sslrootcert", "/nowhere/authority.crt")),
    "only public authorities": addressWith(({ searchParams }) => searchParams.delete("sslrootcert")),
    ...Object.fromEntries(
      Object.entries(NO_CERTIFICATES).map(([name, text]) => {
        const file = join(folder, `${name}.crt`);
        writeFileSync(file, text);
        return [name, addressWith(({ searchParams }) => searchParams.set("sslrootcert", file))];
      }),
    ),
  } as typeof wrong;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.stop();
});

function addressWith(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

async function withDatabase<T>(url: string, use: (database: ReturnType<typeof openDatabase>) => Promise<T>) {
  const opened = openDatabase({ url, poolSize: 2 });
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/** Everything that opens database connections. */
const OPENERS: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  ["the start-up check", (url) => checkDatabase({ url: url, directUrl: null }, REQUIRED)],
  ["migrations", (url) => applyMigrations(url)],
  ["the pool", (url) => withDatabase(url, ({ pool }) => pool.query("SELECT 1"))],
  ["Prisma", (url) => withDatabase(url, ({ prisma }) => prisma.$queryRaw`SELECT 1`)],
  ["the task queue", (url) => withDatabase(url, ({ pool }) => prepareTaskQueues(pool))],
];

describe.each(OPENERS)("TLS to the database, used by %s", (_, open) => {
  test("connects when the certificate is verified, and otherwise not", async () => {
    await open(database.url.href);
    await expect(open(wrong.plain)).rejects.toThrow(/no encryption|pg_hba\.conf|denied access/);
    await expect(open(wrong["wrong authority"])).rejects.toThrow(/certificate|TLS connection/);
    await expect(open(wrong["wrong host"])).rejects.toThrow(/certificate|TLS connection/);
    await expect(open(wrong["only public authorities"])).rejects.toThrow(/certificate|TLS connection/);
  });
});

test.each<[Fault, RegExp]>([
  ["wrong authority", /is not trusted: the file that sslrootcert names does not hold that authority/],
  ["file without a certificate", /the file that sslrootcert names holds no certificate/],
  ["empty file", /the file that sslrootcert names holds no certificate/],
  ["key instead of a certificate", /the file that sslrootcert names holds no certificate/],
  ["only public authorities", /is not trusted; name the authority's certificate with sslrootcert/],
  ["wrong host", /its certificate is for another host/],
  ["missing authority", /sslrootcert.+cannot be read; correct its path/],
])("the start-up error names the fault and the remedy: %s", async (fault, message) => {
  const error: Error = await checkDatabase({ url: wrong[fault], directUrl: null }, REQUIRED).then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain(database.url.password);
});

test("a connection without TLS is refused where TLS is required, regardless of the URL", async () => {
  const testbed = await testDatabase({ migrated: false });
  try {
    await checkDatabase({ url: testbed.url, directUrl: null }, { requireTls: false });
    await expect(checkDatabase({ url: testbed.url, directUrl: null }, REQUIRED)).rejects.toThrow(
      /has no TLS; add sslmode=verify-full/,
    );
    const asked = `${testbed.url}?sslmode=verify-full`;
    await expect(checkDatabase({ url: asked, directUrl: null }, REQUIRED)).rejects.toThrow(/does not offer TLS/);
  } finally {
    await testbed.drop();
  }
});

test("every connection of a running service uses TLS, including the queue's listener", async () => {
  const port = await reservePort();
  const settings = readSettings({
    DATABASE_URL: database.url.href,
    DATABASE_TLS: "require",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    PORT: String(port),
    LOG_LEVEL: "silent",
    DRAIN_SECONDS: "0",
  });
  const observer = new pg.Client({ connectionString: database.url.href, application_name: "observer" });
  await observer.connect();
  let server: RunningServer | undefined;
  try {
    server = await startServer(settings);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const { rows } = await observer.query<{ name: string; listens: boolean; ssl: boolean }>(
      `SELECT application_name AS name, query LIKE 'LISTEN%' OR query LIKE '%pg_listening_channels%' AS listens, ssl
         FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["social-connect both readiness", "pgboss"]));
    expect(rows.filter(({ listens }) => listens)).toHaveLength(1);
  } finally {
    await server?.stop();
    await observer.end();
  }
});
