import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { runStatement, type TestDatabase, testDatabase } from "@social-connect/testkit";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { readSettings } from "./config/settings.ts";
import { checkDatabase } from "./platform/database/checkDatabase.ts";
import { folder, useFolderPerTest } from "./platform/testing/folderPerTest.ts";

useFolderPerTest();

const ENCRYPTION_KEYS = `k:${Buffer.alloc(32, 7).toString("base64")}`;
const ROLE = `test_checked_${process.pid}`;
const PASSWORD = "canary-password";

let testbed: TestDatabase;
let place: string;

beforeEach(async () => {
  testbed = await testDatabase({ migrated: false });
  const { host, pathname } = new URL(testbed.url);
  place = `${host}${pathname}`;
  await runStatement(testbed.url, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
});
afterEach(async () => {
  const { url } = await otherDatabase();
  await runStatement(url, `ALTER DATABASE ${nameOf(testbed.url)} ALLOW_CONNECTIONS true`);
  await testbed.drop();
  await runStatement(url, `DROP ROLE ${ROLE}`);
});

async function otherDatabase(): Promise<TestDatabase> {
  const other = await testDatabase({ migrated: false });
  onTestFinished(other.drop);
  return other;
}

function nameOf(url: string): string {
  return `"${new URL(url).pathname.slice(1)}"`;
}

/** The message of a start with a URL. */
async function messageOf(url: string): Promise<string> {
  const { databaseUrl } = readSettings({ DATABASE_URL: url, ENCRYPTION_KEYS });
  const addresses = { url: databaseUrl?.reveal() ?? "", directUrl: null };
  const error: Error = await checkDatabase(addresses, { requireTls: false }).then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect(error.message).toMatch(/^DATABASE_URL: the database at .* cannot be used: /);
  expect(error.message).not.toContain(PASSWORD);
  expect(error.message).not.toContain("\n");
  return error.message.replace(/^.* cannot be used: /, "");
}

async function listen(receive: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    receive(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the control: the URL of the role is accepted", async () => {
  const { databaseUrl } = readSettings({ DATABASE_URL: `postgres://${ROLE}:${PASSWORD}@${place}`, ENCRYPTION_KEYS });
  await checkDatabase({ url: databaseUrl?.reveal() ?? "", directUrl: null }, { requireTls: false });
});

test.each([
  [
    "another password",
    () => `${ROLE}:x${PASSWORD}@${place}`,
    /^it refuses the password; correct the user or the password$/,
  ],
  ["no password", () => `${ROLE}@${place}`, /asks for a password, and its URL has none; write postgres:\/\//],
  ["an empty password", () => `${ROLE}:@${place}`, /asks for a password, and its URL has none/],
  ["an unknown user", () => `nobody_here:${PASSWORD}@${place}`, /^it refuses the password; correct the user/],
  ["an unknown database", () => `${ROLE}:${PASSWORD}@${new URL(testbed.url).host}/none`, /no such database; create it/],
  [
    "TLS that it does not have",
    () => `${ROLE}:${PASSWORD}@${place}?sslmode=require`,
    /does not offer TLS; set ssl = on/,
  ],
  [
    "a missing certificate",
    () => `${ROLE}:${PASSWORD}@${place}?sslrootcert=/nowhere/ca.crt`,
    /sslrootcert.* cannot be read/,
  ],
  [
    "a socket's folder that is missing",
    () => `${ROLE}:${PASSWORD}@%2Fnowhere/s`,
    /^nothing listens there.*host is its folder$/,
  ],
  [
    "a socket's file",
    () => `${ROLE}:${PASSWORD}@${encodeURIComponent(file())}/s`,
    /of a socket the host is its folder$/,
  ],
  ["an unknown host", () => `${ROLE}:${PASSWORD}@nowhere.invalid/s`, /host is unknown|could not be resolved/],
  [
    "a port where nothing listens",
    () => `${ROLE}:${PASSWORD}@127.0.0.1:1/s`,
    /^nothing listens there; start PostgreSQL/,
  ],
] as const)("names the cause and the remedy of %s", async (_, url, expected) => {
  expect(await messageOf(`postgres://${url()}`)).toMatch(expected);
});

function file(): string {
  const path = join(folder, "file");
  writeFileSync(path, "no certificate");
  return path;
}

test("names a file without a certificate", async () => {
  const message = await messageOf(`postgres://${ROLE}:${PASSWORD}@${place}?sslrootcert=${file()}`);
  expect(message).toMatch(/does not offer TLS|is not PEM/);
});

test("names a missing permission to connect, and a database that accepts no connections", async () => {
  const url = `postgres://${ROLE}:${PASSWORD}@${place}`;
  await runStatement(testbed.url, `REVOKE CONNECT ON DATABASE ${nameOf(testbed.url)} FROM PUBLIC`);
  expect(await messageOf(url)).toMatch(/its user may not connect to it; run GRANT CONNECT ON DATABASE/);
  const { url: other } = await otherDatabase();
  await runStatement(other, `ALTER DATABASE ${nameOf(testbed.url)} ALLOW_CONNECTIONS false`);
  expect(await messageOf(url)).toMatch(/accepts no connections \(datallowconn\); use another database/);
});

test.each([
  [
    "closes the connection",
    (socket: Socket) => socket.destroy(),
    /not PostgreSQL, or is shutting down|closes the connection/,
  ],
  ["resets the connection", (socket: Socket) => socket.resetAndDestroy(), /closes the connection|not PostgreSQL/],
  [
    "speaks HTTP",
    (socket: Socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    /the server there is not PostgreSQL/,
  ],
])("names a server that %s", async (_, receive, expected) => {
  expect(await messageOf(`postgres://u:${PASSWORD}@${await listen(receive)}/s`)).toMatch(expected);
});

test("names a server whose TLS is another protocol", async () => {
  // It accepts TLS, as PostgreSQL does, and then sends something else.
  const address = await listen((socket) =>
    socket.once("data", () => socket.write("S").valueOf() && socket.write("no TLS here")),
  );
  const message = await messageOf(`postgres://u:${PASSWORD}@${address}/s?sslmode=verify-full`);
  expect(message).toMatch(/its TLS cannot be used; check that the server there is PostgreSQL/);
});
