import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningSimulator } from "@social-connect/simulator";
import { eventually, runStatement, testDatabase } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { EndedCommand } from "../../../../packages/testkit/src/harness/watchOutput.ts";
import { checkRole, readFacts } from "../cli/doctor/databaseChecks.ts";
import { type ServiceProcess, startProcess } from "../cli/testing/commandLine.ts";
import { runInProcess } from "../cli/testing/runInProcess.ts";
import { query } from "../http/testing/testServer.ts";
import { linkAccount } from "../observability/testing/linkAccount.ts";
import { listMonitorCodes } from "../platform/roles/monitorColumns.ts";
import { ROLE_KINDS, type RoleKind } from "../platform/roles/plan.ts";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { KNOWN_SWEEPS } from "../worker/sweeps.ts";
import { createTaskQueue } from "../worker/taskQueue.ts";
import { simulateProviderA } from "../worker/testing/atSimulator.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";

useFolderPerTest();

const DENIED = "42501";
const CONNECTION = `query ($scope: SubjectScope!, $connectionId: ID!) {
  connection(scope: $scope, id: $connectionId) { status syncStatus }
}`;
const DISCONNECT = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
  disconnectConnection(scope: $scope, connectionId: $connectionId) { eraseJobId }
}`;

let real: RealTimeService;
let simulator: RunningSimulator;
/** Roles belong to the server, which other tests use too. */
let suffix: string;
/** Databases with these roles. */
let databases: string[];
const passwords = { owner: "own&r-passw0rd", runtime: "run'time=passw0rd", monitor: "mon:itor@passw0rd" };

beforeAll(async () => {
  real = await startRealTimeService();
  simulator = await simulateProviderA(real);
});
afterAll(async () => {
  await simulator?.close();
  await real?.base.close();
});
beforeEach(() => {
  databases = [real.databaseUrl];
  suffix = randomBytes(4).toString("hex");
});
afterEach(async () => {
  for (const role of [...ROLE_KINDS.map(nameOf), administrator()]) {
    const [found] = await runStatement(real.databaseUrl, `SELECT 1 FROM pg_roles WHERE rolname = '${role}'`);
    if (found === undefined) continue;
    for (const url of databases)
      await runStatement(url, `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}`);
    await runStatement(real.databaseUrl, `DROP ROLE ${role}`);
  }
});

function administrator(): string {
  return `test_administrator_${suffix}`;
}

function nameOf(kind: RoleKind): string {
  return `test_${kind}_${suffix}`;
}

/** The URL of a database for a role with its password. */
function urlOf(kind: RoleKind, url: string): string {
  const changed = new URL(url);
  changed.username = nameOf(kind);
  changed.password = encodeURIComponent(passwords[kind]);
  return changed.href;
}

/** The command as an administrator. */
async function setUp(url: string, ...more: string[]): Promise<EndedCommand> {
  const names = ROLE_KINDS.flatMap((kind) => [`--${kind}`, nameOf(kind)]);
  return runInProcess(["roles", ...names, ...more], { DATABASE_URL: url });
}

async function setUpWithPasswords(url: string): Promise<EndedCommand> {
  const files = ROLE_KINDS.map(async (kind) => {
    const file = join(folder, kind);
    await writeFile(file, `${passwords[kind]}\n`);
    return [`--${kind}-password-file`, file];
  });
  return setUp(url, ...(await Promise.all(files)).flat());
}

/** The error's code, or what the statement returned. */
async function attempt(url: string, statement: string): Promise<unknown> {
  return runStatement(url, statement).then(
    (rows) => rows,
    (error: { code?: string }) => error.code,
  );
}

test("api and worker run with the runtime role: an account is linked, read and erased, every sweep runs, and no table can be changed", async () => {
  const admin = real.databaseUrl;
  const planned = await setUp(admin, "--dry-run");
  expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
  expect(planned.stdout).toContain(`GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE public.job TO ${nameOf("runtime")};`);
  expect(await attempt(admin, `SELECT 1 FROM pg_roles WHERE rolname = '${nameOf("runtime")}'`)).toEqual([]);

  const created = await setUpWithPasswords(admin);
  expect(created).toMatchObject({ exitCode: 0, stderr: "" });
  expect(created.stdout.split("\n").slice(0, -3).toSorted()).toEqual(planned.stdout.split("\n").toSorted());
  expect(created.stdout).toContain(`ALTER ROLE ${nameOf("runtime")} PASSWORD '…';`);
  expect(created.stdout).not.toMatch(/passw0rd|SCRAM/);
  expect(await setUp(admin)).toEqual({ exitCode: 0, stdout: "the roles are up to date", stderr: "" });

  const url = urlOf("runtime", admin);
  const environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: `test:${real.secretKey}`,
    PUBLIC_URL: real.service.connectHost,
    MIGRATE: "off",
  };
  const processes: ServiceProcess[] = [];
  onTestFinished(async () => {
    for (const process of processes) await process.stop();
  });
  for (const role of ["api", "worker"] as const) processes.push(await startProcess(role, environment));
  const [api] = processes as [ServiceProcess];
  await linkAccount(real, api.url, "reader");
  const { id: connectionId } = await real.service.prisma.connection.findFirstOrThrow();
  const variables = { scope: { tenantKey: real.application.tenantKey, externalSubjectId: "reader" }, connectionId };
  const call = (text: string) => query({ url: api.url }, real.application.key, text, variables);
  await eventually(async () => {
    expect((await call(CONNECTION)).data).toEqual({ connection: { status: "CONNECTED", syncStatus: "READY" } });
  });
  expect((await call(DISCONNECT)).errors).toEqual([]);
  await eventually(async () => expect(await real.service.prisma.connection.count()).toBe(0));
  await createTaskQueue(real.service.pool, real.service.clock).sweepSoon();
  await eventually(async () => {
    const succeeded = await real.service.prisma.sweepState.findMany({ where: { error: null }, select: { name: true } });
    expect(succeeded.map(({ name }) => name).toSorted()).toEqual(KNOWN_SWEEPS.map(({ name }) => name).toSorted());
  });
  expect(
    processes.flatMap(({ output }) => output).filter((line) => /permission denied|"level":"error"/.test(line)),
  ).toEqual([]);
  expect(await runInProcess(["verify-erasure", connectionId], { DATABASE_URL: url })).toMatchObject({ exitCode: 0 });

  const ddl = [
    "CREATE TABLE mine (id int)",
    "CREATE TEMPORARY TABLE mine (id int)",
    "CREATE TABLE pgboss.mine (id int)",
    "CREATE SCHEMA mine",
    "ALTER TABLE job ADD COLUMN mine int",
    "CREATE INDEX mine ON job (id)",
    "DROP TABLE job",
    "TRUNCATE job",
    "DELETE FROM _prisma_migrations",
    `ALTER ROLE ${nameOf("monitor")} SUPERUSER`,
    "COPY job TO PROGRAM 'cat'",
    "SELECT rolpassword FROM pg_authid",
  ];
  for (const statement of ddl) expect(await attempt(url, statement), statement).toBe(DENIED);

  // A table of a later migration.
  await runStatement(
    urlOf("owner", admin),
    "CREATE TABLE later (id serial PRIMARY KEY, state social_provider, token text)",
  );
  expect(await attempt(url, "INSERT INTO later (state, token) VALUES ('PROVIDER_A', 'secret') RETURNING id")).toEqual([
    { id: 1 },
  ]);
  const monitor = urlOf("monitor", admin);
  expect(await attempt(monitor, "SELECT state FROM later")).toBe(DENIED);
  expect((await setUp(admin)).stdout).toBe(`GRANT SELECT (id, state) ON TABLE public.later TO ${nameOf("monitor")};`);
  expect(await attempt(monitor, "SELECT state FROM later")).toEqual([{ state: "PROVIDER_A" }]);
  expect(await attempt(monitor, "SELECT token FROM later")).toBe(DENIED);

  // The doctor notices a role that may do more than a process with MIGRATE=off needs.
  const off = { mode: "live", migratesAtStart: false } as const;
  expect(await roleFinding(url, off)).toMatchObject({ status: "ok" });
  expect(await roleFinding(urlOf("owner", admin), off)).toMatchObject({
    status: "warning",
    message: expect.stringContaining("may change tables"),
  });
  expect(await roleFinding(urlOf("owner", admin), { mode: "sandbox", migratesAtStart: false })).toMatchObject({
    status: "ok",
  });
});

async function roleFinding(url: string, settings: Parameters<typeof checkRole>[2]) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await checkRole(pool, await readFacts(pool), settings);
  } finally {
    await pool.end();
  }
}

test("the monitoring role reads states and counts, and no credential, name or text", async () => {
  expect(await setUpWithPasswords(real.databaseUrl)).toMatchObject({ exitCode: 0 });
  const url = urlOf("monitor", real.databaseUrl);
  for (const statement of [
    "SELECT status, count(*) FROM connection GROUP BY 1",
    "SELECT kind, status, wait_reason, error_code, min(created_at) FROM job GROUP BY 1, 2, 3, 4",
    "SELECT name, state, count(*) FROM pgboss.job GROUP BY 1, 2",
    "SELECT name, succeeded_at, error FROM sweep_state",
    "SELECT count(id) FROM content_item",
  ]) {
    expect(await attempt(url, statement), statement).toEqual(expect.any(Array));
  }
  for (const statement of [
    "SELECT access_token_sealed FROM provider_grant",
    "SELECT client_secret_sealed FROM provider_registration",
    "SELECT secret_hash FROM application_key",
    "SELECT display_name FROM connection",
    "SELECT external_subject_id FROM connection",
    "SELECT title FROM content_item",
    "SELECT email FROM admin_member",
    "SELECT data FROM pgboss.job",
    "SELECT * FROM connection",
    "BEGIN READ WRITE; DELETE FROM job",
  ]) {
    expect(await attempt(url, statement), statement).toBe(DENIED);
  }
  // The listed codes are its only strings, regardless of their names.
  const texts = await runStatement(
    url,
    `SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.column_privileges
       JOIN information_schema.columns USING (table_schema, table_name, column_name)
      WHERE grantee = current_user AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`,
  );
  expect(texts.map((row) => row["name"]).toSorted()).toEqual(listMonitorCodes().toSorted());
});

test("roles that exist before the first migration get the tables that the owner creates, also from an administrator without superuser", async () => {
  const { url, name, drop } = await testDatabase({ migrated: false });
  onTestFinished(drop);
  databases.push(url);
  await runStatement(url, `CREATE ROLE ${administrator()} LOGIN CREATEROLE PASSWORD 'admin'`);
  await runStatement(url, `ALTER DATABASE ${name} OWNER TO ${administrator()}`);
  const admin = Object.assign(new URL(url), { username: administrator(), password: "admin" }).href;
  expect(await setUpWithPasswords(admin)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await setUp(admin)).toMatchObject({ exitCode: 0, stdout: "the roles are up to date" });
  expect(await runInProcess(["migrate"], { DATABASE_URL: urlOf("owner", url) })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const sweeps = await runInProcess(["sweeps", "--json"], { DATABASE_URL: urlOf("runtime", url) });
  expect(sweeps).toMatchObject({ exitCode: 1, stderr: "" });
  expect(JSON.parse(sweeps.stdout)).toHaveLength(KNOWN_SWEEPS.length);
  const rest = await setUp(admin);
  expect(rest.stdout).toContain(
    `REVOKE DELETE, INSERT, UPDATE ON TABLE public._prisma_migrations FROM ${nameOf("runtime")};`,
  );
  expect(rest.stdout).not.toContain("OWNER TO");
  expect(await setUp(admin)).toMatchObject({ exitCode: 0, stdout: "the roles are up to date" });
});

test("processes of the previous owner of the tables keep their access", async () => {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  databases.push(url);
  await runStatement(
    url,
    `CREATE ROLE ${administrator()} LOGIN PASSWORD 'old'; ALTER TABLE job OWNER TO ${administrator()}`,
  );
  const { stdout } = await setUp(url);
  expect(stdout).toContain(`GRANT ${nameOf("owner")} TO ${administrator()};`);
  const previous = Object.assign(new URL(url), { username: administrator(), password: "old" }).href;
  expect(await attempt(previous, "SELECT id FROM job")).toEqual([]);
});

test.each([
  [["--runtime", "Robert'); DROP"], 2, /--runtime must have small letters/],
  [["--runtime", "same", "--monitor", "same"], 2, /must have different names/],
  [["--owner-password-file", "/does/not/exist"], 2, /--owner-password-file: the file that it names does not exist/],
  [
    ["--runtime", "social_connect"],
    1,
    /the role social_connect runs this command\. Choose another name with --runtime/,
  ],
])("refuses %j", async (parameters, exitCode, message) => {
  const refused = await runInProcess(["roles", ...parameters, "--dry-run"], { DATABASE_URL: real.databaseUrl });
  expect(refused).toMatchObject({ exitCode, stdout: "", stderr: expect.stringMatching(message) });
});
