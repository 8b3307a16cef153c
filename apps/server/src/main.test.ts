import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runStatement, testDatabase } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import type { Role } from "./config/settings.ts";
import { readSettings } from "./config/settings.ts";
import { encryptionKeys } from "./config/values.ts";
import { planPorts } from "./dev/ports.ts";
import type { RunningServer } from "./main.ts";
import { startServer } from "./main.ts";
import { openDatabase } from "./platform/database.ts";
import { startEmbeddedDatabase } from "./platform/embeddedDatabase/start.ts";
import { isPortFree, reservePort, reservePorts } from "./platform/ports.ts";
import { createSecretBox } from "./platform/secretBox.ts";
import { folder as dataFolder } from "./platform/testing/folderPerTest.ts";

const COMMAND = fileURLToPath(new URL("./cli/cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(parameters: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND, ...parameters], {
    env: { PATH: process.env.PATH, DATA_DIR: dataFolder, LOG_LEVEL: "warn", DRAIN_SECONDS: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
    if (stdout.includes("listening at")) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  await once(child, "close");
  return { exitCode: child.exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}

const SHOP = `
  INSERT INTO application (id, slug, display_name, web_origins, return_urls, identity_return_urls, providers, capabilities,
    tenant_keys, preview_return_paths, created_at, updated_at)
  VALUES (gen_random_uuid(), 'shop', 'Shop', '{}', '{}', '{}', '{}', '{}', '{}', '{}', now(), now())`;

/** A server in this process. */
async function serverOn(databaseUrl: string, { drainSeconds = 0, role = "both" as Role } = {}): Promise<RunningServer> {
  const environment = { PORT: String(await reservePort()), LOG_LEVEL: "silent", DRAIN_SECONDS: String(drainSeconds) };
  return startServer(readSettings({ ...environment, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: KEY }, { role }));
}

/** The URL of a database of this test. */
async function databaseUrl(options?: Parameters<typeof testDatabase>[0]): Promise<string> {
  const { url, drop } = await testDatabase(options);
  onTestFinished(drop);
  return url;
}

async function status(server: RunningServer, path: string): Promise<number> {
  return (await fetch(server.address + path)).status;
}

test("without configuration it starts on its own database and shuts down cleanly on SIGTERM", async () => {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  const settings = { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort) };
  const ended = await run(["start"], settings);
  expect(ended).toEqual({ exitCode: 0, stdout: `listening at http://127.0.0.1:${port}`, stderr: "" });
  expect(await isPortFree(databasePort)).toBe(true);
  await expect(readFile(join(dataFolder, "lock"))).rejects.toThrow(/ENOENT/);
});

test("migrate applies migrations, and reports when nothing is pending", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: false }), ENCRYPTION_KEYS: KEY };
  const applied = expect.stringMatching(/^applied .+_/);
  expect(await run(["migrate"], environment)).toMatchObject({ exitCode: 0, stdout: applied });
  expect(await run(["migrate"], environment)).toMatchObject({ exitCode: 0, stdout: "the database is up to date" });
});

test("with MIGRATE=off a start changes no table: it refuses with pending migrations, and runs after migrate", async () => {
  const url = await databaseUrl({ migrated: false });
  const environment = { DATABASE_URL: url, ENCRYPTION_KEYS: KEY, MIGRATE: "off", PORT: String(await reservePort()) };
  const refused = await run(["start"], environment);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/lacks migrations of this version \(\d+_init, .+`social-connect migrate`/);
  expect(await runStatement(url, "SELECT 1 FROM pg_tables WHERE schemaname IN ('public', 'pgboss')")).toEqual([]);
  expect(await run(["migrate"], environment)).toMatchObject({ exitCode: 0 });
  expect(await run(["start"], environment)).toMatchObject({ exitCode: 0, stderr: "" });

  const queue = "name = 'sweep.hour'";
  await runStatement(url, `DELETE FROM pgboss.job WHERE ${queue}; DELETE FROM pgboss.queue WHERE ${queue}`);
  const incomplete = await run(["start"], environment);
  expect(incomplete.exitCode).toBe(1);
  expect(incomplete.stderr).toMatch(/the task queue sweep\.hour.+`social-connect migrate`/);
});

test("an erasure can be verified, and retention reported, with only the database's URL", async () => {
  const server = await startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
  try {
    const environment = { DATABASE_URL: server.url("postgres") };
    const id = "6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11";
    expect(await run(["migrate"], environment)).toMatchObject({ exitCode: 0 });
    expect(await run(["verify-erasure", id], environment)).toEqual({ exitCode: 0, stdout: "erased", stderr: "" });
    await runStatement(environment.DATABASE_URL, `CREATE TABLE leftover AS SELECT '${id}'::uuid AS connection_id`);
    expect(await run(["verify-erasure", id], environment)).toEqual({ exitCode: 1, stdout: "not erased", stderr: "" });
    const report = await run(["retention-report"], environment);
    expect(JSON.parse(report.stdout)).toEqual({ oldestObservationAgeSeconds: null });
  } finally {
    await server.stop();
  }
});

test.each([
  [["verify-erasure", "everything"], /the id of a connection must be a UUID, not everything/],
  [["fly"], /unknown command 'fly'/],
  [["start", "--role", "king"], /--role must be api, worker, both, not king/],
  [["start", "--colour"], /unknown option '--colour'/],
  [["dev", "--port", "99999"], /--port must be a whole number from 1 to \d+, not 99999/],
  [["distribute", "--shards", "0"], /--shards must be a whole number from 1 to 1024, not 0/],
  [
    ["distribute", "--coordinator", "db.example.com:65536"],
    /--coordinator must be <host>:<port>, not db\.example\.com:65536/,
  ],
  [["dev", "--port", "4400", "extra"], /too many arguments for 'dev'. .+: extra/],
  [["verify-erasure"], /missing required argument 'connection id'/],
  [["admin"], /a subcommand is missing/],
  [["verify-erasure", "x'; DROP TABLE job"], /the id of a connection must be a UUID/],
  [["jobs", "list", "--connection", "all"], /the id of a connection must be a UUID, not all/],
  [["jobs", "list", "--status", "DONE"], /Allowed choices are QUEUED/],
  [["jobs", "list", "--limit", "0"], /--limit must be a whole number from 1 to 1000, not 0/],
  [["erase", "--application", "shop", "--subject", "user"], /--subject needs --tenant/],
  [["erasures", "export"], /required option '--to <file>' not specified/],
  [["erasures", "export", "--to", "x", "--since", "2027-01-31"], /--since must be a time such as/],
  [["erasures", "replay", "--from", "x", "--wait", "-1"], /--wait must be a whole number from 0/],
  [["erase", "--tenant", "x"], /required option '--application <slug>' not specified/],
  [["connection", "show", "x"], /required option '--reason <text>' not specified/],
  [["connection", "show", "x", "--reason", " "], /--reason must be one line of 1 to 200 characters/],
  [["quota", "set", "x", "--reserve", "2"], /--reserve must be a number from 0 to 0\.9, not 2/],
  [["erase", "--application", "shop", "--tenant", ""], /--tenant must not be empty/],
  [["erase", "--application", "shop", "--tenant", "x", "--subject", ""], /--subject must not be empty/],
  [["erase", "--application", "shop", "--wait", ""], /--wait must be a whole number from 0/],
  [["erase", "--application", "shop", "--tenant", "a", "--tenant", "b"], /--tenant can be given only once/],
  [["quota", "set", "x", "--units", "1", "--units=2"], /--units can be given only once/],
  [["jobs", "retry", "all"], /the id of a job must be a UUID, not all/],
  [["jobs", "cancel", "all"], /the id of a job must be a UUID, not all/],
  [["jobs", "list", "--limit", "1e2"], /--limit must be a whole number from 1 to 1000, not 1e2/],
  [["quota", "set", "PROVIDER_A"], /the id of a registration must be a UUID, not PROVIDER_A/],
  [["connection", "show", "all", "--reason", "🦊".repeat(200)], /a UUID, not all/],
  [["keys", "revoke", `6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11.${"5a".repeat(32)}`], /a UUID, not \[redacted\]$/m],
  [["keys", "revoke", `scadm_6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11.${"5a".repeat(32)}`], /a UUID, not \[redacted\]$/m],
  [["toString"], /unknown command 'toString'/],
])("the command line %j is rejected with the reason", async (parameters, message) => {
  const ended = await run(parameters);
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr).toContain("`social-connect help` lists the commands");
});

test.each([
  [["jobs", "list", "--json", "--limit", "0"], {}, 2, /--limit must be/],
  [["sweeps", "--json", "--verbose"], {}, 2, /unknown option '--verbose'/],
  [["quota", "show", "--json"], { DATABASE_URL: "database" }, 1, /^DATABASE_URL: /],
  [["keys", "list", "--json"], { DATABASE_URL: "postgres://127.0.0.1:1/database" }, 1, /nothing listens there/],
])(
  "with --json the output of the failed command line %j is JSON",
  async (parameters, environment, exitCode, message) => {
    const ended = await run(parameters, environment);
    expect(ended.exitCode).toBe(exitCode);
    expect(JSON.parse(ended.stdout)).toEqual({ error: expect.stringMatching(message) });
    expect(ended.stderr).toMatch(/^social-connect/);
  },
);

test("dev uses the database itself if DATABASE_URL is a pooler", async () => {
  const environment = { DATABASE_URL: await databaseUrl(), DATABASE_DIRECT_URL: "postgres://127.0.0.1:1/direct" };
  const port = String(await reservePorts(Object.keys(planPorts(1)).length));
  const ended = await run(["dev", "--no-panel", "--port", port, "--data", dataFolder], environment);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toContain("the database at 127.0.0.1:1/direct cannot be used: nothing listens there");
});

test("one command adds an admin, on an empty database too, and only once", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: false }) };
  const add = (email: string) => run(["admin", "add", email], environment);
  const added = { exitCode: 0, stdout: "added admin First@example.test", stderr: "" };
  expect(await add("First@example.test")).toEqual(added);
  const again = { exitCode: 0, stdout: "first@example.test is already an admin" };
  expect(await add("first@example.test")).toMatchObject(again);
  expect(await add("nobody")).toMatchObject({ exitCode: 1, stderr: "social-connect: Enter a valid email address." });
  expect(await run(["admin", "remove", "first@example.test"], environment)).toMatchObject({ exitCode: 2 });
  const database = openDatabase({ url: environment.DATABASE_URL, poolSize: 1 });
  const members = await database.prisma.adminMember.findMany();
  const entries = await database.prisma.auditEntry.findMany();
  await database.close();
  expect(members).toMatchObject([{ email: "first@example.test", addedBy: "System", subject: null }]);
  expect(entries).toMatchObject([{ actor: "System", action: "Admin added" }]);
});

test("operator commands print tables or JSON, change nothing in a dry run, and report what is missing", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: true }) };
  await runStatement(environment.DATABASE_URL, SHOP);
  const ok = { exitCode: 0, stderr: "" };
  expect(await run(["jobs", "list"], environment)).toEqual({ ...ok, stdout: "no jobs" });
  expect(await run(["keys", "list", "--application", "shop", "--json"], environment)).toEqual({ ...ok, stdout: "[]" });
  expect(await run(["quota", "show"], environment)).toEqual({ ...ok, stdout: "no registrations" });
  const sweeps = await run(["sweeps", "--json"], environment);
  expect(sweeps).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(sweeps.stdout)).toContainEqual(
    expect.objectContaining({ name: "expireContent", isHealthy: false }),
  );
  const erase = ["erase", "--application", "shop", "--tenant", "gone", "--json"];
  const none = { connections: 0, connectAttempts: 0, identityAttempts: 0, dryRun: true };
  expect(JSON.parse((await run([...erase, "--dry-run"], environment)).stdout)).toEqual(none);
  const report = await run(erase, environment);
  expect(report).toMatchObject(ok);
  expect(JSON.parse(report.stdout)).toMatchObject({ receipts: [], failed: [], pending: 0 });
  expect((await run(erase.slice(0, -1), environment)).stdout).toMatch(
    /everything is erased; nothing was left, so check/,
  );
  const [entry, again, ...others] = await runStatement(environment.DATABASE_URL, "SELECT * FROM audit_entry");
  expect(entry).toMatchObject({ actor: "System", action: "Erasure requested", client_slug: "shop" });
  expect(entry?.["summary"]).not.toContain("gone");
  expect([again?.["action"], ...others]).toEqual(["Erasure requested"]);
  const unknown = "6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11";
  for (const command of ["jobs retry", "jobs cancel", "keys revoke", "quota set", "connection show"]) {
    const reason = command === "connection show" ? ["--reason", "ticket 1"] : [];
    const refused = await run([...command.split(" "), unknown, ...reason], environment);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^social-connect: The .+ does not exist/),
    });
  }
  const revoked = ["keys", "revoke", unknown];
  await runStatement(
    environment.DATABASE_URL,
    `INSERT INTO application_key (id, application_id, secret_hash, created_at) SELECT '${unknown}', id, '', now() FROM application`,
  );
  expect((await run([...revoked, "--dry-run"], environment)).stdout).toBe(
    `would revoke the application key ${unknown}`,
  );
  expect((await run(revoked, environment)).stdout).toMatch(/^revoked the application key .+ as of 20/);
  expect((await run([...revoked, "--dry-run"], environment)).stdout).toMatch(/^already revoked the application key /);
  const missing = await run(["erase", "--application", "unknown"], environment);
  expect(missing).toEqual({ exitCode: 1, stdout: "", stderr: 'social-connect: no client has the slug "unknown"' });
  const missingJson = await run(["erase", "--application", "unknown", "--json"], environment);
  expect(missingJson).toMatchObject({ exitCode: 1, stderr: missing.stderr });
  expect(JSON.parse(missingJson.stdout)).toEqual({ error: 'no client has the slug "unknown"' });
});

test("a command explains what its database refuses, in one line", async () => {
  const url = await databaseUrl({ migrated: true });
  const role = `reader_${randomBytes(4).toString("hex")}`;
  await runStatement(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}; ${SHOP}`,
  );
  onTestFinished(async () => void (await runStatement(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  const limited = new URL(url);
  [limited.username, limited.password] = [role, "reader"];
  const refused = await run(["erase", "--application", "shop", "--wait", "0"], { DATABASE_URL: limited.href });
  expect(refused).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      "social-connect: the database reports an error (42501): permission denied for table audit_entry. " +
      "Use the runtime role of `social-connect roles`, or the owner of the tables.",
  });
  const standby = { DATABASE_URL: `${url}?options=-c%20default_transaction_read_only%3Don` };
  const readOnly = await run(["erase", "--application", "shop", "--wait", "0"], standby);
  expect(readOnly.stderr).toMatch(/^social-connect: .*\(25006\): .* Set DATABASE_URL to the primary\.$/);
});

test("a command without DATABASE_URL creates no database", async () => {
  for (const command of [["jobs", "list"], ["sweeps"], ["retention-report"]]) {
    const refused = await run(command);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/DATABASE_URL is not set/),
    });
  }
  expect(await readdir(dataFolder).catch(() => [])).toEqual([]);
});

test("live mode starts for an existing admin, and not without one", async () => {
  const port = await reservePort();
  const live = { MODE: "live", PUBLIC_URL: "https://connect.example.test", PORT: String(port) };
  const environment = { ...live, DATABASE_URL: await databaseUrl({ migrated: false }), ENCRYPTION_KEYS: KEY };
  const refused = await run(["start"], environment);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^ADMIN_EMAILS: live mode needs at least one admin\. .+admin add/m);
  expect(await run(["admin", "add", "first@example.test"], environment)).toMatchObject({ exitCode: 0 });
  const started = { exitCode: 0, stdout: `listening at http://127.0.0.1:${port}`, stderr: "" };
  expect(await run(["start"], environment)).toEqual(started);
});

test("help lists the commands", async () => {
  const help = { exitCode: 0, stdout: expect.stringContaining("apply database migrations") };
  for (const parameters of [["help"], ["--help"], []]) expect(await run(parameters)).toMatchObject(help);
  const start = { exitCode: 0, stdout: expect.stringContaining("--processes <count>") };
  for (const parameters of [
    ["start", "--help"],
    ["help", "start"],
  ])
    expect(await run(parameters)).toMatchObject(start);
});

test("invalid settings stop the start, each in a line with its remedy", async () => {
  const ended = await run(["start"], { PORT: "eighty", MODE: "prod" });
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
  const ended = await run(["worker"], { DATABASE_URL: url, ENCRYPTION_KEYS: KEY });
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
  const ended = await run(["worker"], { DATABASE_URL: url, ENCRYPTION_KEYS: KEY });
  other.close();
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/^social-connect: DATABASE_URL: .* cannot be used: the server there is not PostgreSQL/);
  expect(ended.stderr).not.toContain("canary");
});

test("a port in use is one clear message, and no database keeps running", async () => {
  const [port, databasePort] = [await reservePort(), await reservePort()];
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port, "127.0.0.1", resolve));
  const ended = await run(["start"], { PORT: String(port), EMBEDDED_DATABASE_PORT: String(databasePort) });
  holder.close();
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toBe(
    `social-connect: port ${port} is in use; stop the program that uses it, or set PORT to another`,
  );
  expect(await isPortFree(databasePort)).toBe(true);
});

test("a wrong encryption key under a known id stops the start of every role, also with MIGRATE=off", async () => {
  const environment = { DATABASE_URL: await databaseUrl(), PORT: String(await reservePort()) };
  expect(await run(["start"], { ...environment, ENCRYPTION_KEYS: KEY })).toMatchObject({ exitCode: 0, stderr: "" });
  const wrong = `test:${Buffer.alloc(32, 3).toString("base64")}`;
  const message = /^social-connect: the encryption key with the id "test" is not the key that encrypted this database/;
  for (const parameters of [["start"], ["worker"], ["rotate-encryption"]]) {
    const refused = await run(parameters, { ...environment, ENCRYPTION_KEYS: wrong, MIGRATE: "off" });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(refused.stderr.split("\n")).toHaveLength(1);
  }
  expect(await run(["start"], { ...environment, ENCRYPTION_KEYS: KEY })).toMatchObject({ exitCode: 0, stderr: "" });
});

test("rotate-encryption re-encrypts values with the newest key, and reports when the older key can be removed", async () => {
  const url = await databaseUrl();
  const [old, fresh] = [KEY, `fresh:${Buffer.alloc(32, 2).toString("base64")}`];
  const boxes = {
    old: createSecretBox(encryptionKeys.parse(old)),
    fresh: createSecretBox(encryptionKeys.parse(fresh)),
  };
  const id = randomUUID();
  const { pool, close } = openDatabase({ url, poolSize: 2 });
  const place = `provider_registration/${id}/client_secret`;
  await pool.query(
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes, created_at, updated_at)
     VALUES ($1, 'PROVIDER_A', 'DRAFT', 'client', $2, '{}', '{}', now(), now())`,
    [id, boxes.old.seal("text", place)],
  );
  const rotate = (keys: string) => run(["rotate-encryption"], { DATABASE_URL: url, ENCRYPTION_KEYS: keys });
  const stdout = "values re-encrypted: 1; no value needs the other keys";
  expect(await rotate(`${fresh},${old}`)).toEqual({ exitCode: 0, stdout, stderr: "" });
  const { rows } = await pool.query<{ sealed: string }>(
    "SELECT client_secret_sealed AS sealed FROM provider_registration",
  );
  expect(boxes.fresh.open(rows[0]?.sealed ?? "", place)).toBe("text");
  await close();
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
