import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { reservePort, runStatement } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { databaseUrl, KEY, runCommand } from "./cli/testing/commandLine.ts";
import { type Role, readSettings } from "./config/settings.ts";
import { type RunningServer, startServer } from "./main.ts";
import { startEmbeddedDatabase } from "./platform/embeddedDatabase/start.ts";
import { isPortFree } from "./platform/network/ports.ts";
import { folder as dataFolder, useFolderPerTest } from "./platform/testing/folderPerTest.ts";

useFolderPerTest();

/** A server in this process. */
async function serverOn(databaseUrl: string, { drainSeconds = 0, role = "both" as Role } = {}): Promise<RunningServer> {
  const environment = { PORT: String(await reservePort()), LOG_LEVEL: "silent", DRAIN_SECONDS: String(drainSeconds) };
  return startServer(readSettings({ ...environment, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: KEY }, { role }));
}

async function status(server: RunningServer, path: string): Promise<number> {
  return (await fetch(server.address + path)).status;
}

test("without configuration it starts on its own database and shuts down cleanly on SIGTERM", async () => {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  // A busy machine may repeat a statement, which is a warning.
  const settings = { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort), LOG_LEVEL: "error" };
  const ended = await runCommand(["start"], settings);
  expect(ended).toEqual({ exitCode: 0, stdout: `listening at http://127.0.0.1:${port}`, stderr: "" });
  expect(await isPortFree(databasePort)).toBe(true);
  await expect(readFile(join(dataFolder, "lock"))).rejects.toThrow(/ENOENT/);
});

test("a command uses the embedded database of a service that runs, and a second service does not", async () => {
  const ports = { PORT: String(await reservePort()), EMBEDDED_DATABASE_PORT: String(await reservePort()) };
  const settings = { ...ports, DATA_DIR: dataFolder, LOG_LEVEL: "silent", ADMIN_EMAILS: "ada@example.test" };
  const server = await startServer(readSettings(settings, { role: "both" }));
  onTestFinished(() => server.stop());
  const listed = await runCommand(["admin", "list", "--json"]);
  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toContain("ada@example.test");
  const second = await runCommand(["start"], { PORT: String(await reservePort()) });
  expect(second).toMatchObject({ exitCode: 1, stdout: "" });
  expect(second.stderr).toContain(`is in use by process ${process.pid}`);
});

test("with MIGRATE=off a start changes no table: it refuses with pending migrations, and runs after migrate", async () => {
  const url = await databaseUrl({ migrated: false });
  const environment = { DATABASE_URL: url, ENCRYPTION_KEYS: KEY, MIGRATE: "off", PORT: String(await reservePort()) };
  const refused = await runCommand(["start"], environment);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/lacks migrations of this version \(\d+_initial, .+\)\. Run `social-connect migrate`/);
  expect(await runStatement(url, "SELECT 1 FROM pg_tables WHERE schemaname IN ('public', 'pgboss')")).toEqual([]);
  expect(await runCommand(["migrate"], environment)).toMatchObject({ exitCode: 0 });
  expect(await runCommand(["start"], environment)).toMatchObject({ exitCode: 0, stderr: "" });

  const queue = "name = 'sweep.hour'";
  await runStatement(url, `DELETE FROM pgboss.job WHERE ${queue}; DELETE FROM pgboss.queue WHERE ${queue}`);
  const incomplete = await runCommand(["start"], environment);
  expect(incomplete.exitCode).toBe(1);
  expect(incomplete.stderr).toMatch(/the task queue sweep\.hour.+`social-connect migrate`/);
});

test("live mode starts for an existing admin, and not without one", async () => {
  const port = await reservePort();
  const live = { MODE: "live", PUBLIC_URL: "https://connect.example.test", PORT: String(port) };
  const environment = { ...live, DATABASE_URL: await databaseUrl({ migrated: false }), ENCRYPTION_KEYS: KEY };
  const refused = await runCommand(["start"], environment);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^ADMIN_EMAILS: live mode needs at least one admin\. .+admin add/m);
  expect(await runCommand(["admin", "add", "first@example.test"], environment)).toMatchObject({ exitCode: 0 });
  const started = { exitCode: 0, stdout: `listening at http://127.0.0.1:${port}`, stderr: "" };
  expect(await runCommand(["start"], environment)).toEqual(started);
});

test("a database keeps the mode of its first start: in the other mode no process or command uses it", async () => {
  const DATABASE_URL = await databaseUrl({ migrated: false });
  const live = { MODE: "live", PUBLIC_URL: "https://connect.example.test", DATABASE_URL, ENCRYPTION_KEYS: KEY };
  const sandbox = { DATABASE_URL, ENCRYPTION_KEYS: KEY };
  const port = async () => ({ PORT: String(await reservePort()) });
  // Commands record no mode, and without MODE they are for either.
  for (const command of [["migrate"], ["admin", "add", "first@example.test"]])
    expect(await runCommand(command, sandbox)).toMatchObject({ exitCode: 0 });
  expect(await runCommand(["start"], { ...live, ...(await port()) })).toMatchObject({ exitCode: 0 });
  expect(await runCommand(["admin", "add", "second@example.test"], sandbox)).toMatchObject({ exitCode: 0 });

  const facts = /belongs to a live deployment, and MODE is sandbox\. Set DATABASE_URL to .+, or MODE to the mode/;
  const wrong = { ...sandbox, MODE: "sandbox" };
  for (const [command, environment] of [
    [["start"], { ...sandbox, ...(await port()) }],
    [["start", "--role", "worker"], sandbox],
    [["migrate"], wrong],
    [["admin", "add", "third@example.test"], wrong],
    [["rotate-encryption"], wrong],
    [["keys", "revoke", "0190a5e0-0000-7000-8000-000000000000"], wrong],
    [["dev"], sandbox],
  ] as const) {
    const refused = await runCommand(command, environment);
    expect(refused, command.join(" ")).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(facts) });
  }
  expect((await runCommand(["doctor"], sandbox)).stdout).toMatch(
    /failed +mode +MODE is sandbox, and .+ live deployment/,
  );
  expect(await runStatement(DATABASE_URL, "SELECT email FROM admin_member ORDER BY 1")).toEqual([
    { email: "first@example.test" },
    { email: "second@example.test" },
  ]);
});

test("live mode does not adopt the database of a sandbox that recorded no mode", async () => {
  const DATABASE_URL = await databaseUrl();
  const live = { MODE: "live", PUBLIC_URL: "https://connect.example.test", DATABASE_URL, ENCRYPTION_KEYS: KEY };
  expect(await runCommand(["admin", "add", "first@example.test"], live)).toMatchObject({ exitCode: 0 });
  await runStatement(DATABASE_URL, "INSERT INTO clock_offset (id, offset_ms) VALUES (1, 60000)");
  const start = async () => runCommand(["start"], { ...live, PORT: String(await reservePort()) });
  const refused = await start();
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/was used by a sandbox \(it has a moved clock or .+\), and MODE is live/);
  await runStatement(DATABASE_URL, "DELETE FROM clock_offset");
  expect(await start()).toMatchObject({ exitCode: 0 });
});

test("invalid settings stop the start, each in a line with its remedy", async () => {
  const ended = await runCommand(["start"], { PORT: "eighty", MODE: "prod" });
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr.split("\n")).toEqual([
    "social-connect cannot start with these settings:",
    expect.stringMatching(/^MODE: .+\. Set it to sandbox or live\.$/),
    expect.stringMatching(/^PORT: .+\. Set it to a port/),
  ]);
});

test.each([
  ["refuses", "127.0.0.1:1", /127\.0\.0\.1:1\/database cannot be used: nothing listens there/],
  ["is unknown", "host.invalid", /host\.invalid:5432\/database cannot be used: its host/],
])("a database that %s is one clear message without the password", async (_, host, message) => {
  const url = `postgres://user:canary-password@${host}/database`;
  const ended = await runCommand(["worker"], { DATABASE_URL: url, ENCRYPTION_KEYS: KEY });
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr.split("\n")).toHaveLength(1);
  expect(ended.stderr).not.toContain("canary");
});

test("a server that is not PostgreSQL is reported", async () => {
  const other = createServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
  const port = await reservePort();
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  const url = `postgres://user:canary-password@127.0.0.1:${port}/database`;
  const ended = await runCommand(["worker"], { DATABASE_URL: url, ENCRYPTION_KEYS: KEY });
  other.close();
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/^social-connect: DATABASE_URL: .* cannot be used: the server there is not PostgreSQL/);
  expect(ended.stderr).not.toContain("canary");
});

test("a port in use is one clear message, and no database keeps running", async () => {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port, "127.0.0.1", resolve));
  const ended = await runCommand(["start"], { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort) });
  holder.close();
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toBe(
    `social-connect: port ${port} is in use; stop the program that uses it, or set PORT to another`,
  );
  expect(await isPortFree(databasePort)).toBe(true);
});

test("a wrong encryption key under a known id stops the start of every role, also with MIGRATE=off", async () => {
  const environment = { DATABASE_URL: await databaseUrl(), PORT: String(await reservePort()) };
  expect(await runCommand(["start"], { ...environment, ENCRYPTION_KEYS: KEY })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const wrong = `test:${Buffer.alloc(32, 3).toString("base64")}`;
  const message = /^social-connect: the encryption key with the id "test" is not the key that encrypted this database/;
  for (const parameters of [["start"], ["worker"], ["rotate-encryption"]]) {
    const refused = await runCommand(parameters, { ...environment, ENCRYPTION_KEYS: wrong, MIGRATE: "off" });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(refused.stderr.split("\n")).toHaveLength(1);
  }
  expect(await runCommand(["start"], { ...environment, ENCRYPTION_KEYS: KEY })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
});

test("two processes that start concurrently on one empty database both start", async () => {
  const url = await databaseUrl({ migrated: false });
  const both = await Promise.all([serverOn(url), serverOn(url)]);
  for (const one of both) await expect.poll(() => status(one, "/readyz")).toBe(200);
  await Promise.all(both.map((one) => one.stop()));
});

test("while its database is unavailable the process runs and is not ready until it is back", async () => {
  const port = await reservePort();
  const start = () => startEmbeddedDatabase({ dataFolder, port });
  let database = await start();
  const server = await serverOn(database.url("postgres"));
  try {
    await expect.poll(() => status(server, "/readyz")).toBe(200);
    await database.stop();
    expect(await status(server, "/readyz")).toBe(503);
    expect(await status(server, "/healthz")).toBe(200);
    database = await start();
    await expect.poll(() => status(server, "/readyz")).toBe(200);
  } finally {
    await server.stop();
    await database.stop();
  }
});

test("readiness fails before the server closes", async () => {
  const server = await serverOn(await databaseUrl(), { drainSeconds: 3, role: "api" });
  await expect.poll(() => status(server, "/readyz")).toBe(200);
  const stopped = server.stop();
  expect(await status(server, "/readyz")).toBe(503);
  expect(await status(server, "/healthz")).toBe(200);
  await stopped;
  await expect(status(server, "/healthz")).rejects.toThrow();
});
