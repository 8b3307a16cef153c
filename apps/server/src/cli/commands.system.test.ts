import { randomBytes, randomUUID } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reservePort, reservePorts, runStatement } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { encryptionKeys } from "../config/values.ts";
import { planPorts } from "../dev/ports.ts";
import { openDatabase } from "../platform/database/database.ts";
import { startEmbeddedDatabase } from "../platform/embeddedDatabase/start.ts";
import { createSecretBox } from "../platform/secrets/secretBox.ts";
import { folder as dataFolder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { databaseUrl, type Environment, KEY, runCommand } from "./testing/commandLine.ts";
import { runInProcess } from "./testing/runInProcess.ts";

useFolderPerTest();

const SHOP = `
  INSERT INTO application (id, slug, display_name, web_origins, return_urls, identity_return_urls, providers, capabilities,
    tenant_keys, preview_return_paths, created_at, updated_at)
  VALUES (gen_random_uuid(), 'shop', 'Shop', '{}', '{}', '{}', '{}', '{}', '{}', '{}', now(), now())`;

/** Runs a command in this process. Other tests start the program, for its exit code and its streams. */
function runHere(parameters: readonly string[], environment: Environment = {}) {
  return runInProcess(parameters, { DATA_DIR: dataFolder, ...environment });
}

test("help lists the commands", async () => {
  const help = { exitCode: 0, stdout: expect.stringContaining("apply database migrations") };
  for (const parameters of [["help"], ["--help"], []]) expect(await runCommand(parameters)).toMatchObject(help);
  const start = { exitCode: 0, stdout: expect.stringContaining("--processes <count>") };
  for (const parameters of [
    ["start", "--help"],
    ["help", "start"],
  ])
    expect(await runCommand(parameters)).toMatchObject(start);
});

test("migrate applies migrations, and reports when nothing is pending", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: false }), ENCRYPTION_KEYS: KEY };
  const applied = expect.stringMatching(/^applied .+_/);
  expect(await runCommand(["migrate"], environment)).toMatchObject({ exitCode: 0, stdout: applied });
  expect(await runCommand(["migrate"], environment)).toMatchObject({
    exitCode: 0,
    stdout: "the database is up to date",
  });
});

test("an erasure can be verified, and retention reported, with only the database's URL", async () => {
  const server = await startEmbeddedDatabase({ dataFolder, port: await reservePort(), unsafeAndFast: true });
  try {
    const environment = { DATABASE_URL: server.url("postgres") };
    const id = "6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11";
    expect(await runHere(["migrate"], environment)).toMatchObject({ exitCode: 0 });
    const verify = (...more: string[]) => runHere(["verify-erasure", id, ...more], environment);
    const unknown = { exitCode: 1, stdout: expect.stringMatching(/^unknown\nno row has the id, not even a receipt: /) };
    expect(await verify()).toMatchObject(unknown);
    const entry = `INSERT INTO audit_entry (id, at, actor, action, target_type, target_id, summary)
      VALUES (gen_random_uuid(), now(), 'System', 'Connection viewed', 'CONNECTION', '${id}', 'about ${id}')`;
    await runStatement(environment.DATABASE_URL, entry);
    const erased = await verify();
    expect(erased).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^erased\n/), stderr: "" });
    expect(erased.stdout).toMatch(
      /^public\.audit_entry\.target_id: 1 audit entries keep the id, which is opaque, until \d{4}-/m,
    );
    expect(erased.stdout).toMatch(
      /^searched \d+ tables \(rows\): .*\bpublic\.audit_entry \(1\), .*\bpublic\.content_item \(0\)/m,
    );
    expect(JSON.parse((await verify("--json")).stdout)).toMatchObject({ status: "erased", unsearched: [] });
    await runStatement(environment.DATABASE_URL, `CREATE TABLE leftover AS SELECT '${id}'::uuid AS connection_id`);
    expect(await verify()).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^not erased\npublic\.leftover\.connection_id: 1 rows have the id\n/),
      stderr: "",
    });
    const report = await runHere(["retention-report"], environment);
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
  [["erasures", "export", "--to", "x", "--since", "0000-06-15T00:00:00Z"], /--since must be a time such as/],
  [["erasures", "export", "--to", "x", "--since", "2027-02-30T00:00:00Z"], /--since must be a time such as/],
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
  const ended = await runHere(parameters);
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
    const ended = await runCommand(parameters, environment);
    expect(ended.exitCode).toBe(exitCode);
    expect(JSON.parse(ended.stdout)).toEqual({ error: expect.stringMatching(message) });
    expect(ended.stderr).toMatch(/^social-connect/);
  },
);

test("dev uses the database itself if DATABASE_URL is a pooler", async () => {
  const environment = { DATABASE_URL: await databaseUrl(), DATABASE_DIRECT_URL: "postgres://127.0.0.1:1/direct" };
  const port = String(await reservePorts(Object.keys(planPorts(1)).length));
  const ended = await runCommand(["dev", "--no-panel", "--port", port, "--data", dataFolder], environment);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toContain("the database at 127.0.0.1:1/direct cannot be used: nothing listens there");
});

test("one command adds an admin, on an empty database too, and only once", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: false }) };
  const add = (email: string) => runHere(["admin", "add", email], environment);
  const added = { exitCode: 0, stdout: "added admin First@example.test", stderr: "" };
  expect(await add("First@example.test")).toEqual(added);
  const again = { exitCode: 0, stdout: "first@example.test is already an admin" };
  expect(await add("first@example.test")).toMatchObject(again);
  expect(await add("nobody")).toMatchObject({ exitCode: 1, stderr: "social-connect: Enter a valid email address." });
  const database = openDatabase({ url: environment.DATABASE_URL, poolSize: 1 });
  const members = await database.prisma.adminMember.findMany();
  const entries = await database.prisma.auditEntry.findMany();
  await database.close();
  expect(members).toMatchObject([{ email: "first@example.test", addedBy: "System", subject: null }]);
  const changes = [
    { field: "email", before: null, after: "first@example.test" },
    { field: "addedBy", before: null, after: "System" },
  ];
  expect(entries).toMatchObject([{ actor: "System", action: "Admin added", changes }]);
});

test("admins are listed and removed while no api runs, with their keys and an audit entry; the last one stays", async () => {
  const environment = { DATABASE_URL: await databaseUrl() };
  const admin = (...parameters: string[]) => runHere(["admin", ...parameters], environment);
  expect(await admin("list")).toMatchObject({ exitCode: 0, stdout: "no admins" });
  await admin("add", "ada@example.test");
  const last = { exitCode: 1, stderr: "social-connect: The last admin cannot be removed. Add another admin first." };
  expect(await admin("remove", "ada@example.test")).toMatchObject(last);
  await admin("add", "old@example.test");
  await runStatement(
    environment.DATABASE_URL,
    `INSERT INTO admin_api_key (id, member_id, label, scope, secret_hash, created_at, created_by, expires_at)
     SELECT gen_random_uuid(), id, 'script', 'WRITE', '', now(), email, now() + '1 day' FROM admin_member`,
  );
  const emails = async () => {
    const listed = JSON.parse((await admin("list", "--json")).stdout) as { email: string }[];
    return listed.map(({ email }) => email);
  };
  expect(await emails()).toEqual(["ada@example.test", "old@example.test"]);
  const removed = { exitCode: 0, stdout: "removed admin old@example.test, with their sessions and keys", stderr: "" };
  expect(await admin("remove", " Old@Example.test")).toEqual(removed);
  expect(await emails()).toEqual(["ada@example.test"]);
  for (const unknown of ["old@example.test", "nobody"])
    expect(await admin("remove", unknown)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/does not exist/),
    });
  const keys = await runStatement(
    environment.DATABASE_URL,
    "SELECT created_by, revoked_at IS NOT NULL AS is_revoked FROM admin_api_key ORDER BY created_by",
  );
  expect(keys).toMatchObject([{ is_revoked: false }, { created_by: "old@example.test", is_revoked: true }]);
  const [entry] = await runStatement(
    environment.DATABASE_URL,
    "SELECT * FROM audit_entry WHERE action = 'Admin removed'",
  );
  expect(entry).toMatchObject({ actor: "System", summary: expect.stringMatching(/keys revoked: 1/) });
});

const AT = "postgres://user:p%40ss@db.example.com:5432/service";

test.each([
  [AT, ["--database", "restored"], "postgres://user:p%40ss@db.example.com:5432/restored"],
  [
    `${AT}?sslmode=verify-full`,
    ["--database", "restored"],
    `${AT}?sslmode=verify-full`.replace("service?", "restored?"),
  ],
  [AT, ["--database", "a b"], AT.replace("/service", "/a%20b")],
  [
    AT.replace("5432/service", "5432/x?application_name=%2Fservice"),
    ["--database", "y"],
    AT.replace("5432/service", "5432/y?application_name=%2Fservice"),
  ],
  [
    "postgres://u:p@%2Fvar%2Frun%2Fpostgresql/service",
    ["--database", "restored"],
    "postgres://u:p@%2Fvar%2Frun%2Fpostgresql/restored",
  ],
  [
    "postgres://u:p@/service?host=/var/run/postgresql",
    ["--database", "restored"],
    "postgres://u:p@%2Fvar%2Frun%2Fpostgresql/restored",
  ],
  [AT, ["--host", "db2.example.com"], AT.replace("db.", "db2.")],
  [AT, ["--host", "[2001:db8::1]:6432", "--database", "r"], "postgres://user:p%40ss@[2001:db8::1]:6432/r"],
  [AT, ["--host", "/run/pg"], "postgres://user:p%40ss@%2Frun%2Fpg:5432/service"],
  [
    `MODE=live\nDATABASE_URL="${AT}"\nX=1`,
    ["--database", "r"],
    `MODE=live\nDATABASE_URL="${AT.replace("service", "r")}"\nX=1`,
  ],
])("database-url changes %s with %j, and prints no password", async (text, options, expected) => {
  const file = join(dataFolder, "database-url");
  await writeFile(file, `${text}\n`);
  await chmod(file, 0o640);
  const shown = await runHere(["database-url", file]);
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await readFile(file, "utf8")).toBe(`${text}\n`);
  const changed = await runHere(["database-url", file, ...options]);
  expect(changed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(changed.stdout + shown.stdout).not.toMatch(/p%40ss|p@ss|:p@/);
  expect(await readFile(file, "utf8")).toBe(`${expected}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(dataFolder)).toEqual(["database-url"]);
});

test.each([
  ["postgres://u:p@a:5432,b:5432/service", ["--database", "r"], /names several hosts/],
  [AT, ["--database", "a/b"], /name of its database contains/],
  [AT, ["--database", ""], /names no database/],
  [AT, ["--host", "a b"], /percent-encoded/],
  [AT, ["--host", "user@elsewhere"], /is not a host and a port/],
  ["host=db dbname=service", ["--database", "r"], /the form of keywords/],
  [`DATABASE_URL=${AT}\nDATABASE_DIRECT_URL=${AT.replace("db.", "direct.")}`, ["--host", "c"], /different hosts/],
])("database-url refuses to change %s with %j, and changes no file", async (text, options, message) => {
  const [good, bad] = [join(dataFolder, "good"), join(dataFolder, "bad")];
  await writeFile(good, AT);
  await writeFile(bad, text);
  const refused = await runHere(["database-url", good, bad, ...options]);
  expect(refused).toMatchObject({ stdout: "", stderr: expect.stringMatching(message) });
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).not.toContain("p%40ss");
  expect([await readFile(good, "utf8"), await readFile(bad, "utf8")]).toEqual([AT, text]);
});

test("database-url changes the files of the environment, and prints a URL only on request", async () => {
  const file = join(dataFolder, "database-url");
  await writeFile(file, AT);
  const ofFile = { DATABASE_URL_FILE: file };
  expect(await runHere(["database-url", "--database", "r"], ofFile)).toMatchObject({ exitCode: 0 });
  expect(await readFile(file, "utf8")).toBe(`${AT.replace("service", "r")}\n`);
  expect(await runHere(["database-url", "--database", "r"], { DATABASE_URL: AT })).toMatchObject({ exitCode: 2 });
  const printed = await runHere(["database-url", "--database", "r", "--print"], { DATABASE_URL: AT });
  expect(printed).toEqual({ exitCode: 0, stdout: AT.replace("service", "r"), stderr: "" });
});

test("operator commands print tables or JSON, change nothing in a dry run, and report what is missing", async () => {
  const environment = { DATABASE_URL: await databaseUrl({ migrated: true }) };
  await runStatement(environment.DATABASE_URL, SHOP);
  const ok = { exitCode: 0, stderr: "" };
  expect(await runHere(["jobs", "list"], environment)).toEqual({ ...ok, stdout: "no jobs" });
  expect(await runHere(["keys", "list", "--application", "shop", "--json"], environment)).toEqual({
    ...ok,
    stdout: "[]",
  });
  const [client] = await runStatement<{ id: string }>(environment.DATABASE_URL, "SELECT id FROM application");
  const ofId = await runHere(["keys", "list", "--application", client?.id ?? ""], environment);
  expect(ofId).toEqual({ ...ok, stdout: "no keys" });
  expect(await runHere(["quota", "show"], environment)).toEqual({ ...ok, stdout: "no registrations" });
  const sweeps = await runCommand(["sweeps", "--json"], environment);
  expect(sweeps).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(sweeps.stdout)).toContainEqual(
    expect.objectContaining({ name: "expireContent", isHealthy: false }),
  );
  const erase = ["erase", "--application", "shop", "--tenant", "gone", "--json"];
  const none = { connections: 0, connectAttempts: 0, identityAttempts: 0, dryRun: true };
  expect(JSON.parse((await runHere([...erase, "--dry-run"], environment)).stdout)).toEqual(none);
  const report = await runHere(erase, environment);
  expect(report).toMatchObject(ok);
  expect(JSON.parse(report.stdout)).toMatchObject({ receipts: [], failed: [], pending: 0 });
  expect((await runHere(erase.slice(0, -1), environment)).stdout).toMatch(
    /everything is erased; nothing was left, so check/,
  );
  const [entry, again, ...others] = await runStatement(environment.DATABASE_URL, "SELECT * FROM audit_entry");
  expect(entry).toMatchObject({ actor: "System", action: "Erasure requested", client_slug: "shop" });
  expect(entry?.["summary"]).not.toContain("gone");
  expect([again?.["action"], ...others]).toEqual(["Erasure requested"]);
  const unknown = "6f1f5f0e-5a5e-4a8e-9a53-0d2f6c1f6b11";
  for (const command of ["jobs retry", "jobs cancel", "keys revoke", "quota set", "connection show"]) {
    const reason = command === "connection show" ? ["--reason", "ticket 1"] : [];
    const refused = await runHere([...command.split(" "), unknown, ...reason], environment);
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
  expect((await runHere([...revoked, "--dry-run"], environment)).stdout).toEqual(
    expect.stringMatching(
      new RegExp(
        `^would revoke the application key ${unknown} of .+\\nit was never used; it is the only active key of its owner$`,
      ),
    ),
  );
  expect((await runHere(revoked, environment)).stdout).toMatch(/^revoked the application key .+ as of 20/);
  expect((await runHere([...revoked, "--dry-run"], environment)).stdout).toMatch(
    /^already revoked the application key /,
  );
  const missing = await runHere(["erase", "--application", "unknown"], environment);
  expect(missing).toEqual({ exitCode: 1, stdout: "", stderr: 'social-connect: no client has the slug "unknown"' });
  const missingJson = await runHere(["erase", "--application", "unknown", "--json"], environment);
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
  const refused = await runHere(["erase", "--application", "shop", "--wait", "0"], { DATABASE_URL: limited.href });
  expect(refused).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      "social-connect: the database reports an error (42501): permission denied for table audit_entry. " +
      "Use the runtime role of `social-connect roles`, or the owner of the tables.",
  });
  const standby = { DATABASE_URL: `${url}?options=-c%20default_transaction_read_only%3Don` };
  const readOnly = await runHere(["erase", "--application", "shop", "--wait", "0"], standby);
  expect(readOnly.stderr).toMatch(/^social-connect: DATABASE_URL: .* its URL sets default_transaction_read_only to on/);
});

test("a command without DATABASE_URL creates no database", async () => {
  for (const command of [["jobs", "list"], ["sweeps"], ["retention-report"]]) {
    const refused = await runHere(command);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/DATABASE_URL is not set/),
    });
  }
  expect(await readdir(dataFolder).catch(() => [])).toEqual([]);
});

test("rotate-encryption re-encrypts values with the newest key, and reports when the older key can be removed", async () => {
  const url = await databaseUrl();
  const [old, fresh] = [KEY, `fresh:${Buffer.alloc(32, 2).toString("base64")}`];
  const boxes = {
    old: createSecretBox(encryptionKeys.parse(old).keys),
    fresh: createSecretBox(encryptionKeys.parse(fresh).keys),
  };
  const id = randomUUID();
  const { pool, close } = openDatabase({ url, poolSize: 2 });
  const place = `provider_registration/${id}/client_secret`;
  await pool.query(
    `INSERT INTO provider_registration (id, provider, status, client_id, client_secret_sealed, addresses, scopes, created_at, updated_at)
     VALUES ($1, 'PROVIDER_A', 'DRAFT', 'client', $2, '{}', '{}', now(), now())`,
    [id, boxes.old.seal("text", place)],
  );
  const rotate = (keys: string) => runHere(["rotate-encryption"], { DATABASE_URL: url, ENCRYPTION_KEYS: keys });
  const missing =
    /the encryption key "test" is missing, .*: provider_registration\.client_secret_sealed \(1\)\. Add it to/;
  const told = { exitCode: 1, stdout: "", stderr: expect.stringMatching(missing) };
  expect(await rotate(fresh)).toMatchObject(told);
  const environment = { DATABASE_URL: url, PORT: String(await reservePort()) };
  expect(await runCommand(["start"], { ...environment, ENCRYPTION_KEYS: fresh })).toMatchObject(told);
  expect(await runCommand(["worker"], { ...environment, ENCRYPTION_KEYS: fresh })).toMatchObject(told);
  const doctor = await runHere(["doctor"], { ...environment, ENCRYPTION_KEYS: fresh });
  expect(doctor).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/the encryption key "test" is missing/) });
  const stdout = expect.stringMatching(
    /^re-encrypted 1 values with the key fresh\n {2}provider_registration\.client_secret_sealed: 1 values\n.+no value needs the other keys \(test\)\. Next: remove them/s,
  );
  const dryRun = await runHere(["rotate-encryption", "--dry-run"], {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `${fresh},${old}`,
  });
  expect(dryRun).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^would re-encrypt 1 values.+client_secret_sealed: 1 values, 1 to/s),
  });
  const checks = await pool.query("SELECT key_id FROM encryption_key_check WHERE key_id = 'fresh'");
  expect(checks.rowCount).toBe(0);
  expect(await rotate(`${fresh},${old}`)).toEqual({ exitCode: 0, stdout, stderr: "" });
  expect(await rotate(`${old}`)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/"fresh" is missing/) });
  expect(await rotate(`${old},fresh:lost`)).toMatchObject({ exitCode: 0 });
  const { rows } = await pool.query<{ sealed: string }>(
    "SELECT client_secret_sealed AS sealed FROM provider_registration",
  );
  expect(boxes.fresh.open(rows[0]?.sealed ?? "", place)).toBe("text");
  await close();
});
