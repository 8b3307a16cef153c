import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providerSlug } from "@social-connect/domain";
import { createCatalogue } from "@social-connect/simulator";
import {
  DATABASE_SERVER_VARIABLE,
  eventually,
  reservePort,
  runStatement,
  TEMPLATE_DATABASE_VARIABLE,
  testDatabase,
} from "@social-connect/testkit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hasPgBouncer, prepareForPooler, startPgBouncer } from "../../../tools/pgBouncer.ts";
import { examine } from "./cli/doctor/doctor.ts";
import { migrate } from "./composition/deploymentCommands.ts";
import { readSettings } from "./config/settings.ts";
import { query } from "./http/testing/testServer.ts";
import { startServer } from "./main.ts";
import { runSweeps } from "./modules/sweeps/runSweeps.ts";
import { RETURN_URL } from "./modules/testing/builders.ts";
import { findShiftedTimes } from "./modules/times/findShiftedTimes.ts";
import { linkAccount } from "./observability/testing/linkAccount.ts";
import { POOLED_ROLE_SETTINGS, SESSION_SETTINGS } from "./platform/database/sessionSettings.ts";
import { findBinaries, giveToDatabaseUser, runProgram } from "./platform/embeddedDatabase/binaries.ts";
import { startEmbeddedDatabase } from "./platform/embeddedDatabase/start.ts";
import { DIFFERENT_OBJECTS, DIFFERENT_VALUES, OTHER_SETTINGS } from "./platform/testing/differentSettings.ts";
import { MovableClock } from "./platform/time/clock.ts";
import { HOURLY_SWEEPS, MINUTE_SWEEPS } from "./worker/sweeps.ts";
import { simulateProviderA } from "./worker/testing/atSimulator.ts";
import { startServiceOnClock } from "./worker/testing/realTimeService.ts";

/** A cluster that `initdb` created on a machine in a time zone, which it wrote into postgresql.conf. */
async function startClusterInZone(timeZone: string) {
  const dataFolder = await mkdtemp(join(tmpdir(), "social-connect-zone-"));
  const cluster = join(dataFolder, "postgres");
  const passwordFile = join(dataFolder, "postgres.password");
  await mkdir(cluster, { mode: 0o700 });
  await giveToDatabaseUser(cluster);
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  const { initdb } = await findBinaries();
  const { exitCode, output } = await runProgram("env", [
    ...[`TZ=${timeZone}`, initdb, "--pgdata", cluster, "--username", "social_connect", "--pwfile", passwordFile],
    ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync"],
    ...["--set", "listen_addresses=127.0.0.1", "--set", "unix_socket_directories="],
  ]);
  if (exitCode !== 0) throw new Error(output);
  const database = await startEmbeddedDatabase({ dataFolder, port: await reservePort() });
  const stop = async () => {
    await database.stop();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { url: database.url, stop };
}

const PROVIDER = "PROVIDER_A";
const SUBJECT = "subject-1";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KEY = Buffer.alloc(32, 1).toString("base64");
const SETTINGS = { LOG_LEVEL: "silent", DRAIN_SECONDS: "0", CLOCK: "movable" };

type Settings = Readonly<Record<string, string>>;

/** A setting of the role in the database outranks those of the database, the role and the cluster. */
async function setIn(url: string, settings: Settings, level: "database" | "role" = "database"): Promise<void> {
  const { pathname, username } = new URL(url);
  const name = pathname.slice(1);
  const target = level === "database" ? `DATABASE ${name}` : `ROLE ${username} IN DATABASE ${name}`;
  for (const statement of DIFFERENT_OBJECTS) await runStatement(url, statement);
  for (const [setting, value] of Object.entries(settings)) {
    const [known] = await runStatement(url, "SELECT current_setting($1, true) AS value", [setting]);
    if (known?.value !== null) await runStatement(url, `ALTER ${target} SET ${setting} = ${value}`);
  }
}

const CONNECT = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id expiresAt } }";
const RESULT = "query($scope: SubjectScope!, $id: ID!) { connectSessionResult(scope: $scope, id: $id) { status } }";
const CONNECTIONS = `query($scope: SubjectScope!) {
  connections(scope: $scope) { items { id status syncStatus lastSuccessfulSyncAt } } }`;
const CONTENT = `query($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $id, window: $window) {
    items { publishedAt observedAt } pageInfo { incompleteReason } } }`;
const DISCONNECT = `mutation($scope: SubjectScope!, $id: ID!) {
  disconnectConnection(scope: $scope, connectionId: $id) { accepted revokeJobId eraseJobId } }`;
const JOB = `query($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connectionId, id: $id) { status } }`;

/** A deployment on a prepared database; `through` returns the addresses of a pooler. */
async function deploy(prepare: (url: string) => Promise<void>, through?: (url: string) => Promise<Settings>) {
  const real = await startServiceOnClock((pool) => new MovableClock(pool));
  onTestFinished(real.base.close);
  const simulator = await simulateProviderA(real);
  onTestFinished(() => simulator.close());
  await prepare(real.databaseUrl);
  const environment = {
    ...SETTINGS,
    DATABASE_URL: real.databaseUrl,
    ENCRYPTION_KEYS: `test:${real.secretKey}`,
    PORT: String(await reservePort()),
    PUBLIC_URL: real.service.connectHost,
    ...(await through?.(real.databaseUrl)),
  };
  return { ...real, environment, simulator };
}

type Deployment = Awaited<ReturnType<typeof deploy>>;

/** Connect, scan, read and disconnect, with each deadline just before and just after it. */
async function usePath(deployment: Deployment): Promise<void> {
  const { environment, service, application, simulator } = deployment;
  const server = await startServer(readSettings(environment));
  onTestFinished(() => server.stop());
  const url = server.address ?? "";
  const scope = { tenantKey: application.tenantKey, externalSubjectId: SUBJECT };
  const call = async (text: string, variables: Record<string, unknown>) => {
    const { data, errors } = await query({ url }, application.key, text, { scope, ...variables });
    if (errors.length > 0) throw new Error(`${errors[0]?.extensions["code"]}: ${errors[0]?.message}`);
    return data;
  };
  // The sweeps of the worker follow the real time.
  const advance = async (ms: number) => {
    await service.clock.advance(ms);
    await runSweeps(service, [...MINUTE_SWEEPS, ...HOURLY_SWEEPS]);
  };

  // An attempt lives for ten minutes.
  const input = { scope, provider: PROVIDER, capabilities: ["PROFILE"], returnUrl: RETURN_URL };
  const before = (await service.clock.now()).getTime();
  const { createConnectSession: attempt } = await call(CONNECT, { input });
  const lifetime = new Date(attempt.expiresAt).getTime() - before;
  expect(lifetime).toBeGreaterThanOrEqual(10 * MINUTE - 1);
  const status = async () => (await call(RESULT, { id: attempt.id })).connectSessionResult.status;
  expect(await status()).toBe("CREATED");
  await advance(lifetime - (await elapsed(service, before)) - 2 * MINUTE);
  expect(await status()).toBe("CREATED");
  await advance(2 * MINUTE + 1);
  expect(await status()).toBe("EXPIRED");

  await linkAccount(deployment, url, SUBJECT);
  const connection = async () => (await call(CONNECTIONS, {})).connections.items[0];
  const scanned = await eventually(async () => {
    const found = await connection();
    expect(found).toMatchObject({ status: "CONNECTED", syncStatus: "READY" });
    return found;
  });
  const now = (await service.clock.now()).getTime();
  expect(isBetween(scanned.lastSuccessfulSyncAt, before, now)).toBe(true);

  const window = { publishedAfter: new Date(now - 60 * 24 * HOUR), publishedBefore: new Date(now), first: 50 };
  const { items } = (await call(CONTENT, { id: scanned.id, window })).content;
  expect(items.length).toBeGreaterThan(0);
  for (const { observedAt } of items) expect(isBetween(observedAt, before, now)).toBe(true);
  // The times that the simulated provider gave.
  const account = createCatalogue()
    .all(providerSlug(PROVIDER))
    .find(({ ordinary }) => ordinary);
  const control = `${simulator.simulatorUrl}/__sim/accounts/${providerSlug(PROVIDER)}/${account?.name}/posts`;
  const { posts } = (await (await fetch(control)).json()) as { posts: readonly { publishedAt: string }[] };
  const given = new Set(posts.map(({ publishedAt }) => new Date(publishedAt).getTime()));
  for (const { publishedAt } of items) expect(given).toContain(new Date(publishedAt).getTime());

  // A day later the posts are scanned again, and the attempt's result ends.
  await advance(25 * HOUR);
  await expect(status()).rejects.toThrow("NOT_FOUND");
  await eventually(async () =>
    expect((await connection()).lastSuccessfulSyncAt > scanned.lastSuccessfulSyncAt).toBe(true),
  );

  // A post is shown for 30 days after it was last observed.
  const faults = `${simulator.simulatorUrl}/__sim/faults`;
  const body = JSON.stringify({ provider: providerSlug(PROVIDER), fault: { kind: "status", status: 503 } });
  const added = await fetch(faults, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(added.status).toBe(201);
  const page = async () => (await call(CONTENT, { id: scanned.id, window })).content;
  await advance(30 * 24 * HOUR - HOUR);
  expect((await page()).items).not.toEqual([]);
  await advance(HOUR + MINUTE);
  expect(await page()).toEqual({ items: [], pageInfo: { incompleteReason: "CONTENT_EXPIRED" } });
  await fetch(faults, { method: "DELETE" });

  const ended = (await call(DISCONNECT, { id: scanned.id })).disconnectConnection;
  expect(ended).toMatchObject({ accepted: true });
  for (const id of [ended.revokeJobId, ended.eraseJobId]) {
    await eventually(async () => {
      const { syncJob } = await call(JOB, { connectionId: scanned.id, id });
      expect(syncJob.status).toBe("SUCCEEDED");
    });
  }
  // Receipts are readable for seven days.
  await advance(7 * 24 * HOUR - HOUR);
  const job = { connectionId: scanned.id, id: ended.eraseJobId };
  expect((await call(JOB, job)).syncJob.status).toBe("SUCCEEDED");
  await advance(HOUR);
  await expect(call(JOB, job)).rejects.toThrow("NOT_FOUND");

  expect(await findShiftedTimes(service)).toEqual([]);
}

async function elapsed(service: Deployment["service"], since: number): Promise<number> {
  return (await service.clock.now()).getTime() - since;
}

function isBetween(time: string, from: number, to: number): boolean {
  const at = new Date(time).getTime();
  return at >= from - MINUTE && at <= to + MINUTE;
}

/** What `migrate`, a start and `doctor` say, each in one line. */
async function refusals(environment: Settings): Promise<readonly string[]> {
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => "accepted",
      ({ message }: Error) => message,
    );
  const settings = readSettings(environment);
  const findings = await examine(environment);
  return [
    await messageOf(migrate(settings)),
    await messageOf(startServer(settings)),
    findings.find(({ check, status }) => check === "database" && status === "failed")?.message ?? "accepted",
  ];
}

test("every step and deadline is right in a cluster that initdb created on a machine in Berlin", async () => {
  const cluster = await startClusterInZone("Europe/Berlin");
  onTestFinished(() => cluster.stop());
  const [server, template] = [cluster.url("postgres"), "migrated"];
  const [zone] = await runStatement(server, "SELECT setting, sourcefile FROM pg_settings WHERE name = 'TimeZone'");
  expect(zone).toMatchObject({ setting: "Europe/Berlin", sourcefile: expect.stringMatching(/postgresql\.conf$/) });
  await runStatement(server, `CREATE DATABASE ${template}`);
  const environment = { ...SETTINGS, DATABASE_URL: cluster.url(template) };
  await migrate(readSettings(environment, { needsNoEncryptionKey: true }));
  // The processes are in the zone, too.
  vi.stubEnv("TZ", "Europe/Berlin");
  vi.stubEnv(DATABASE_SERVER_VARIABLE, server);
  vi.stubEnv(TEMPLATE_DATABASE_VARIABLE, template);
  onTestFinished(() => void vi.unstubAllEnvs());
  await usePath(await deploy(async () => undefined));
});

test("every step and deadline is right for a role in Los Angeles with other values of all settings that a session sets", async () => {
  await usePath(await deploy((url) => setIn(url, DIFFERENT_VALUES, "role")));
});

test("every step and deadline is right in a database in Kolkata with other values of settings that must not matter, when a schema has the role's name", async () => {
  await usePath(
    await deploy(async (url) => {
      await setIn(url, { ...OTHER_SETTINGS, TimeZone: "'Asia/Kolkata'", search_path: '"$user", public' });
      await runStatement(url, "CREATE SCHEMA social_connect");
    }),
  );
});

test("migrations of an empty database with other values of all settings create the same tables", async () => {
  const { url, drop } = await testDatabase({ migrated: false });
  onTestFinished(drop);
  await setIn(url, { ...OTHER_SETTINGS, ...DIFFERENT_VALUES });
  await migrate(readSettings({ ...SETTINGS, DATABASE_URL: url }, { needsNoEncryptionKey: true }));
  const { url: expected, drop: dropExpected } = await testDatabase();
  onTestFinished(dropExpected);
  const catalogue = (of: string) =>
    runStatement(
      of,
      `SELECT format('%s.%s %s', nspname, relname, amname) AS name FROM pg_class c
      JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_am am ON am.oid = relam
     WHERE nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema', 'pgboss') ORDER BY 1`,
    );
  expect(await catalogue(url)).toEqual(await catalogue(expected));
  const [queue] = await runStatement(url, "SELECT to_regclass('pgboss.job') IS NOT NULL AS present");
  expect(queue).toEqual({ present: true });
});

describe.skipIf(!hasPgBouncer)("through PgBouncer in transaction mode (Debian package pgbouncer)", () => {
  async function pooled(databaseUrl: string): Promise<Settings> {
    const pooler = await startPgBouncer(databaseUrl, { poolSize: 10 });
    onTestFinished(pooler.stop);
    return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl };
  }

  test("every step and deadline is right when the role has the settings, and other settings do not matter", async () => {
    await usePath(
      await deploy(async (url) => {
        await setIn(url, OTHER_SETTINGS);
        await prepareForPooler(url, POOLED_ROLE_SETTINGS);
      }, pooled),
    );
  });

  const checked = SESSION_SETTINGS.filter(({ name, isLimit }) => !isLimit && name !== "client_encoding");
  const other: Settings = {
    ...DIFFERENT_VALUES,
    default_transaction_read_only: "on",
    session_replication_role: "replica",
  };

  test.each(checked)(
    "migrate, start and doctor refuse another $name, with the statement to run",
    async ({ name, value }) => {
      const { url, drop } = await testDatabase();
      onTestFinished(drop);
      await prepareForPooler(url, POOLED_ROLE_SETTINGS);
      await setIn(url, { [name]: other[name] ?? expect.unreachable(name) });
      const environment = { ...SETTINGS, ENCRYPTION_KEYS: `test:${KEY}`, ...(await pooled(url)) };
      const messages = await refusals({ ...environment, PORT: String(await reservePort()) });
      expect(messages).toHaveLength(3);
      for (const message of messages) {
        expect(message).toMatch(new RegExp(`^DATABASE_URL: .*ALTER ROLE .* IN DATABASE .* SET ${name} = '${value}';`));
        expect(message).not.toContain("\n");
      }
    },
  );
});
