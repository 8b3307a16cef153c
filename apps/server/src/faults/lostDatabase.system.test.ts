/** @module-tag nightly */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { RunningSimulator } from "@social-connect/simulator";
import {
  DATABASE_SERVER_VARIABLE,
  eventually,
  INHERITED_ENVIRONMENT,
  runStatement,
  TEMPLATE_DATABASE_VARIABLE,
} from "@social-connect/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { SERVICE_COMMAND } from "../../../../packages/testkit/src/harness/startedProgram.ts";
import { type RunningCommand, watchOutput } from "../../../../packages/testkit/src/harness/watchOutput.ts";
import type { Connection } from "../_generated/prisma/client.ts";
import { type Environment, runCommand, type ServiceProcess, startProcess } from "../cli/testing/commandLine.ts";
import { runInProcess } from "../cli/testing/runInProcess.ts";
import { query } from "../http/testing/testServer.ts";
import { dumpDatabase, encodingsOf } from "../modules/testing/databaseDump.ts";
import { linkAccount } from "../observability/testing/linkAccount.ts";
import { applyMigrations } from "../platform/database/migrations.ts";
import { giveToDatabaseUser } from "../platform/embeddedDatabase/binaries.ts";
import { type EmbeddedDatabase, MAINTENANCE_DATABASE } from "../platform/embeddedDatabase/start.ts";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { makeTemporaryDataFolder } from "../platform/testing/temporaryDatabase.ts";
import { simulateProviderA } from "../worker/testing/atSimulator.ts";
import { type RealTimeService, startRealTimeService } from "../worker/testing/realTimeService.ts";
import { startFromBackup, startIn, takeBaseBackup } from "./testing/baseBackup.ts";

/** A PostgreSQL with a log archive, of which a base backup can be taken and restored to a point in time. */
async function startArchivedDatabase() {
  // The base backup and the log archive are outside the database's folder.
  const [folder, safe] = [await makeTemporaryDataFolder(), await makeTemporaryDataFolder()];
  const [archive, backup] = [join(safe.path, "archive"), join(safe.path, "backup")];
  for (const path of [archive, backup]) {
    await mkdir(path);
    await giveToDatabaseUser(path);
  }
  const first = await startIn(folder.path);
  const command = `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"`;
  await run(first, "ALTER SYSTEM SET archive_mode = on");
  await run(first, `ALTER SYSTEM SET archive_command = '${command}'`);
  await first.stop();
  const database = await startIn(folder.path);
  let isLost = false;
  const remove = async () => {
    if (isLost) return;
    isLost = true;
    await database.stop();
    await folder.remove();
  };
  return {
    url: database.url,
    takeBaseBackup: () => takeBaseBackup(database, folder.path, backup),
    /** After every earlier commit and before every later one. */
    time: () => run(database, "SELECT clock_timestamp()::text AS value"),
    /** Removes the database. The archive has everything until now. */
    lose: async () => {
      const name = await run(database, "SELECT pg_walfile_name(pg_switch_wal()) AS value");
      await eventually(async () => {
        if (!(await readdir(archive)).includes(name)) throw new Error(`${name} is not archived yet`);
      });
      await remove();
    },
    /** A new server with the database as of a time, from the base backup and the archive. */
    restore: async (time: string) => {
      const copy = await makeTemporaryDataFolder();
      await cp(backup, copy.path, { recursive: true });
      const restored = await startFromBackup(copy.path, "recovery.signal", [
        `restore_command = 'cp "${archive}/%f" "%p"'`,
        `recovery_target_time = '${time}'`,
        "recovery_target_action = 'promote'",
        "archive_mode = off",
      ]);
      await eventually(async () => {
        if ((await run(restored, "SELECT pg_is_in_recovery()::text AS value")) !== "false")
          throw new Error("the database is in recovery");
      });
      const removeCopy = () => restored.stop().then(copy.remove);
      return { url: restored.url, remove: removeCopy };
    },
    remove: async () => {
      await remove();
      await safe.remove();
    },
  };
}

/** Runs a statement; returns the `value` of its first row. */
async function run(database: EmbeddedDatabase, statement: string): Promise<string> {
  const [row] = await runStatement(database.url(MAINTENANCE_DATABASE), statement);
  return row?.["value"] ?? "";
}

/** Runs a command line of a page in a shell, in the test's folder, as an operator who has installed the package. */
async function startCommandLine(line: string, environment: Environment): Promise<RunningCommand> {
  const quoted = SERVICE_COMMAND.map((part) => `'${part}'`).join(" ");
  await writeFile(join(folder, "social-connect"), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const env = { ...INHERITED_ENVIRONMENT, PATH, LOG_LEVEL: "warn", ...environment };
  return watchOutput(spawn("/bin/sh", ["-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] }));
}

/** The command lines in the blocks of a section of a page, in its order, without the variables before them. */
async function commandsOf(page: string, heading: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no section ${heading}`);
  return [...section.matchAll(/^ {3,}(?:[A-Z_]+=\S+ )?(social-connect .+?)(?: &&)?$/gm)].map(([, line = ""]) => line);
}

useFolderPerTest();

/** The drill of docs/operations/backup.md, with the commands of its page, on running processes. */

const CONTENT = `query ($scope: SubjectScope!, $connectionId: ID!, $window: ContentWindow!) {
  content(scope: $scope, connectionId: $connectionId, window: $window) { items { providerContentId } }
}`;
const DISCONNECT = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
  disconnectConnection(scope: $scope, connectionId: $connectionId) { eraseJobId }
}`;
const REFRESH = `mutation ($scope: SubjectScope!, $connectionId: ID!) {
  requestRefresh(scope: $scope, connectionId: $connectionId) { id }
}`;
const JOB = `query ($scope: SubjectScope!, $connectionId: ID!, $id: ID!) {
  syncJob(scope: $scope, connectionId: $connectionId, id: $id) { status errorCode }
}`;

const NEW_KEY = `new:${randomBytes(32).toString("base64")}`;

let archived: Awaited<ReturnType<typeof startArchivedDatabase>>;
let real: RealTimeService;
let simulator: RunningSimulator;
let name: string;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  archived = await startArchivedDatabase();
  await applyMigrations(archived.url("postgres"));
  vi.stubEnv(DATABASE_SERVER_VARIABLE, archived.url("template1"));
  vi.stubEnv(TEMPLATE_DATABASE_VARIABLE, "postgres");
  real = await startRealTimeService();
  name = new URL(real.databaseUrl).pathname.slice(1);
  simulator = await simulateProviderA(real);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stopProcesses();
  await simulator?.close();
  await archived?.remove();
});

async function stopProcesses(): Promise<void> {
  for (const process of processes.splice(0)) await process.stop();
}

async function start(role: "api" | "worker", url: string, keys: string): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: url, ENCRYPTION_KEYS: keys, PUBLIC_URL: real.service.connectHost };
  const process = await startProcess(role, environment);
  processes.push(process);
  return process;
}

interface Account {
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly connectionId: string;
}

async function link(api: ServiceProcess, externalSubjectId: string, number: number): Promise<Account> {
  await linkAccount(real, api.url, externalSubjectId, number);
  const { id } = await real.service.prisma.connection.findFirstOrThrow({ where: { externalSubjectId } });
  await eventually(async () => {
    const stored = await real.service.prisma.connection.findFirstOrThrow({ where: { id } });
    expect(stored).toMatchObject({ syncStatus: "READY", profileObservedAt: expect.any(Date) });
  });
  return { scope: { tenantKey: real.application.tenantKey, externalSubjectId }, connectionId: id };
}

function call({ url }: ServiceProcess, text: string, variables: object) {
  return query({ url }, real.application.key, text, { ...variables });
}

/** The latest posts. */
function readContent(api: ServiceProcess, account: Account) {
  const now = Date.now();
  const publishedAfter = new Date(now - 30 * 86_400_000).toISOString();
  const window = { publishedAfter, publishedBefore: new Date(now).toISOString(), first: 5 };
  return call(api, CONTENT, { ...account, window });
}

async function succeeds(api: ServiceProcess, { scope, connectionId }: Account, id: string): Promise<void> {
  await eventually(async () => {
    const { data } = await call(api, JOB, { scope, connectionId, id });
    expect(data).toEqual({ syncJob: { status: "SUCCEEDED", errorCode: null } });
  });
}

/** Everything that the service stores of an account: its ids, names and posts, and its credentials. */
async function traces({ connectionId }: Account): Promise<string[]> {
  const { prisma } = real.service;
  const connection = await prisma.connection.findFirstOrThrow({ where: { id: connectionId } });
  const grant = await prisma.grant.findFirstOrThrow({ where: { connectionId } });
  const posts = await prisma.contentItem.findMany({ where: { connectionId } });
  expect(posts.length).toBeGreaterThan(5);
  const profile: (keyof Connection)[] = ["providerAccountId", "displayName", "handle", "profileUrl"];
  return [
    ...profile.map((column) => connection[column]),
    ...posts.flatMap(({ providerContentId, title, canonicalUrl }) => [providerContentId, title, canonicalUrl]),
    ...[grant.accessTokenSealed, grant.refreshTokenSealed],
  ].filter((value): value is string => typeof value === "string" && value !== "");
}

/** Tables in which one of the strings appears, in any encoding, except in rows of the other account, whose posts can have equal titles. */
async function tablesWith(url: string, strings: readonly string[], other: Account): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const dump = (await dumpDatabase(pool)).filter((line) => !line.includes(other.connectionId));
    const searched = strings.flatMap((text) => encodingsOf(text)).map((text) => text.toLowerCase());
    const found = dump.filter((line) => searched.some((text) => line.toLowerCase().includes(text)));
    return [...new Set(found.map((line) => line.split(" ", 1)[0] ?? ""))].toSorted();
  } finally {
    await pool.end();
  }
}

const TIMEOUT_MS = 600_000;

test("a restored backup does not keep an account that was erased since, and the others continue", {
  timeout: TIMEOUT_MS,
}, async () => {
  const commands = await commandsOf("operations/backup.md", "Restore a backup");
  expect(commands).toHaveLength(9);
  const [exportLine = "", urlLine = "", migrateLine = "", dryRunLine = "", replayLine = "", ...after] = commands;
  const [adminsLine = "", keysLine = "", doctorLine = "", waitLine = ""] = after;
  const runLine = async (line: string, environment: Environment) => (await startCommandLine(line, environment)).ended;
  const oldKey = `test:${real.secretKey}`;
  const before = real.databaseUrl;
  const [api, worker] = await Promise.all([start("api", before, oldKey), start("worker", before, oldKey)]);
  const leaving = await link(api, "leaving", 0);
  await archived.takeBaseBackup();
  // Only the log archive has what follows.
  const staying = await link(api, "staying", 1);
  // The list of testers belongs to the deployment, and not to the account.
  await real.service.prisma.tester.deleteMany();
  const others = (await traces(staying)).join("\n");
  const strings = (await traces(leaving)).filter((text) => !others.includes(text));
  expect(strings.length).toBeGreaterThan(10);
  const time = await archived.time();

  // The key is rotated and the old one removed; then the account is erased.
  await stopProcesses();
  const rotation = { DATABASE_URL: before, ENCRYPTION_KEYS: `${NEW_KEY},${oldKey}` };
  expect(await runInProcess(["rotate-encryption"], rotation)).toMatchObject({ exitCode: 0 });
  const [api2, worker2] = await Promise.all([start("api", before, NEW_KEY), start("worker", before, NEW_KEY)]);
  const { data } = await call(api2, DISCONNECT, leaving);
  const { eraseJobId } = (data as { disconnectConnection: { eraseJobId: string } }).disconnectConnection;
  await succeeds(api2, leaving, eraseJobId);
  expect(await tablesWith(before, strings, staying)).toEqual([]);
  await eventually(() => expect(worker2.output.join()).toContain("erasure.completed"));
  const written = { exitCode: 0, stdout: expect.stringMatching(/^wrote 1 erasures/) };
  expect(await runLine(exportLine, { DATABASE_URL: before })).toMatchObject(written);
  const existing = { exitCode: 1, stderr: expect.stringContaining("exists already") };
  expect(await runLine(exportLine, { DATABASE_URL: before })).toMatchObject(existing);

  // The database is lost with everything in it.
  await stopProcesses();
  await real.base.close().catch(() => undefined);
  await archived.lose();
  const logs = { "api.log": [...api.output, ...api2.output], "worker.log": [...worker.output, ...worker2.output] };
  for (const [file, lines] of Object.entries(logs)) await writeFile(join(folder, file), `${lines.join("\n")}\n`);
  const restore = async (): Promise<string> => {
    const restored = await archived.restore(time);
    onTestFinished(async () => {
      await stopProcesses();
      await restored.remove();
    });
    const url = restored.url(name);
    expect(await tablesWith(url, strings, staying)).toEqual(
      expect.arrayContaining(["public.connection", "public.content_item", "public.provider_grant"]),
    );
    // Before the service starts.
    for (const file of ["administrator-url", "owner-url", "database-url"]) await writeFile(join(folder, file), url);
    const shown = { exitCode: 0, stdout: expect.stringContaining(`127.0.0.1:${new URL(url).port}/${name}`) };
    expect(await runLine(urlLine, {})).toMatchObject(shown);
    expect(await runLine(migrateLine, { DATABASE_URL: url })).toMatchObject({ exitCode: 0 });
    const dryRun = await runLine(`${dryRunLine} --json`, { DATABASE_URL: url });
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ connections: 1, absent: 0, inProgress: 0, restored: 1 });
    const replayed = await runLine(replayLine, { DATABASE_URL: url });
    expect(replayed).toMatchObject({ exitCode: 3, stdout: expect.stringMatching(/^restored +1$/m), stderr: "" });
    return url;
  };
  const receipts = async () => JSON.parse(await readFile(join(folder, "receipts.json"), "utf8"));
  const ended = { connectionId: leaving.connectionId, provider: "PROVIDER_A" };
  const succeeded = { status: "SUCCEEDED", errorCode: null };
  const complete = {
    failed: [],
    pending: 0,
    withoutReceipts: 0,
    receipts: [{ ...ended, revoke: succeeded, erase: succeeded }],
  };
  const keys = `${NEW_KEY},${oldKey}`;

  // Without the key of the backup's time no process starts.
  const url = await restore();
  const incomplete = await runCommand(["start", "--role", "api"], { DATABASE_URL: url, ENCRYPTION_KEYS: NEW_KEY });
  expect(incomplete).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/encryption key "test" is missing/) });

  for (const line of [adminsLine, keysLine])
    expect(await runLine(line, { DATABASE_URL: url })).toMatchObject({ exitCode: 0, stderr: "" });
  const doctor = await runLine(doctorLine, { DATABASE_URL: url, ENCRYPTION_KEYS: keys });
  expect(doctor.stdout).toMatch(/^ok +encryption /m);
  // The workers are slower than the replay, which waits for them.
  const api3 = await start("api", url, keys);
  expect(await readContent(api3, leaving)).toMatchObject({ code: "NOT_FOUND" });
  const waiting = await startCommandLine(waitLine, { DATABASE_URL: url });
  await eventually(() => expect(waiting.output.stderr).toContain("1 left"));
  await start("worker", url, keys);
  expect(await waiting.ended).toMatchObject({ exitCode: 0 });
  expect(await receipts()).toMatchObject(complete);
  expect(await runInProcess(["verify-erasure", leaving.connectionId], { DATABASE_URL: url })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^erased\n/),
  });
  expect(await tablesWith(url, strings, staying)).toEqual([]);

  // The other account answers, and its credential works with the old key.
  const { data: page } = await readContent(api3, staying);
  expect(page.content.items).toHaveLength(5);
  const refreshed = await call(api3, REFRESH, staying);
  await succeeds(api3, staying, refreshed.data.requestRefresh.id);
  const audit = { actor: "System", action: "Erasures replayed", client_slug: "shop" };
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query("SELECT actor, action, client_slug FROM audit_entry WHERE action = $1", [
    audit.action,
  ]);
  expect(rows).toEqual([audit]);
  await stopProcesses();

  // The workers are quicker: they have erased everything before the replay is repeated.
  const second = await restore();
  await start("worker", second, keys);
  await eventually(async () =>
    expect(await tablesWith(second, [leaving.connectionId], staying)).not.toContain("public.connection"),
  );
  expect(await runLine(waitLine, { DATABASE_URL: second })).toMatchObject({ exitCode: 0 });
  expect(await receipts()).toMatchObject({ ...complete, absent: 1, restored: 0 });
});
