import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningSimulator } from "@social-connect/simulator";
import { DATABASE_SERVER_VARIABLE, eventually, TEMPLATE_DATABASE_VARIABLE } from "@social-connect/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { query } from "../http/testing/testServer.ts";
import { dumpDatabase, encodingsOf } from "../modules/testing/databaseDump.ts";
import { linkAccount } from "../observability/testing/linkAccount.ts";
import { applyMigrations } from "../platform/migrations.ts";
import { folder } from "../platform/testing/folderPerTest.ts";
import type { RealTimeService } from "../worker/testing/realTimeService.ts";
import { startRealTimeService } from "../worker/testing/realTimeService.ts";
import { simulateProviderA } from "../worker/testing/simulatedProviderA.ts";
import { ArchivedDatabase } from "./testing/archivedDatabase.ts";
import type { EndedCommand, ServiceProcess } from "./testing/commands.ts";
import { runCommand, startProcess } from "./testing/commands.ts";

/** The drill of docs/operations/backup.md, with its commands on running processes. */

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

let archived: ArchivedDatabase;
let real: RealTimeService;
let simulator: RunningSimulator;
let name: string;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  archived = await ArchivedDatabase.start();
  await applyMigrations(archived.url("postgres"));
  vi.stubEnv(DATABASE_SERVER_VARIABLE, archived.url("template1"));
  vi.stubEnv(TEMPLATE_DATABASE_VARIABLE, "postgres");
  real = await startRealTimeService();
  name = new URL(real.databaseUrl).pathname.slice(1);
  simulator = await simulateProviderA(real);
});
afterAll(async () => {
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

/** Tables in which one of the strings appears, in any encoding. */
async function tablesWith(url: string, strings: readonly string[]): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const dump = await dumpDatabase(pool);
    const searched = strings.flatMap((text) => encodingsOf(text)).map((text) => text.toLowerCase());
    const found = dump.filter((line) => searched.some((text) => line.toLowerCase().includes(text)));
    return [...new Set(found.map((line) => line.split(" ", 1)[0] ?? ""))].toSorted();
  } finally {
    await pool.end();
  }
}

test("a restored backup does not keep an account that was erased since, and the others continue", async () => {
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
  const log = [...api.lines, ...worker.lines];
  await stopProcesses();
  const rotation = { DATABASE_URL: before, ENCRYPTION_KEYS: `${NEW_KEY},${oldKey}` };
  expect(await runCommand(["rotate-encryption"], rotation)).toMatchObject({ exitCode: 0 });
  const [api2, worker2] = await Promise.all([start("api", before, NEW_KEY), start("worker", before, NEW_KEY)]);
  const { data } = await call(api2, DISCONNECT, leaving);
  const { eraseJobId } = (data as { disconnectConnection: { eraseJobId: string } }).disconnectConnection;
  await succeeds(api2, leaving, eraseJobId);
  expect(await tablesWith(before, strings)).toEqual([]);
  await eventually(() => expect(worker2.lines.join()).toContain("erasure.completed"));
  log.push(...api2.lines, ...worker2.lines);
  const exported = join(folder, "erasures.ndjson");
  const exports = ["erasures", "export", "--to", exported];
  expect(await runCommand(exports, { DATABASE_URL: before })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^wrote 1 erasures/),
  });
  expect(await runCommand(exports, { DATABASE_URL: before })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("exists already"),
  });

  // The database is lost with everything in it.
  await stopProcesses();
  await real.base.close().catch(() => undefined);
  await archived.lose();
  const restored = await archived.restore(time);
  onTestFinished(async () => {
    await stopProcesses();
    await restored.remove();
  });
  const url = restored.url(name);
  expect(await tablesWith(url, strings)).toEqual(
    expect.arrayContaining(["public.connection", "public.content_item", "public.provider_grant"]),
  );

  // Before the service starts, and with only the log.
  const journal = join(folder, "service.log");
  await writeFile(journal, `${log.join("\n")}\n`);
  const replay = (from: string, ...more: string[]): Promise<EndedCommand> =>
    runCommand(["erasures", "replay", "--from", from, "--json", ...more], { DATABASE_URL: url });
  const size = { connections: 1, absent: 0, inProgress: 0, restored: 1 };
  const dryRun = await replay(journal, "--dry-run");
  expect(dryRun).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(dryRun.stdout)).toMatchObject({ ...size, lines: log.length });
  const replayed = await replay(journal);
  expect(replayed).toMatchObject({ exitCode: 3, stderr: "" });
  expect(JSON.parse(replayed.stdout)).toMatchObject({ ...size, failed: [], pending: 1 });

  // Without the key of the backup's time the start names it.
  const incomplete = await start("api", url, NEW_KEY);
  const missing = incomplete.lines.map((line) => (line.startsWith("{") ? JSON.parse(line) : {}));
  expect(missing).toContainEqual(expect.objectContaining({ level: "error", keyIds: ["test"] }));
  expect(await readContent(incomplete, leaving)).toMatchObject({ code: "NOT_FOUND" });
  await stopProcesses();

  const keys = `${NEW_KEY},${oldKey}`;
  const [api3] = await Promise.all([start("api", url, keys), start("worker", url, keys)]);
  const ended = await replay(exported, "--wait", "120");
  expect(ended).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ failed: [], pending: 0 });
  const [receipt] = JSON.parse(replayed.stdout).receipts;
  // The provider answers that the first erasure has revoked the grant.
  await succeeds(api3, leaving, receipt.revoke.id);
  await succeeds(api3, leaving, receipt.erase.id);
  expect(await runCommand(["verify-erasure", leaving.connectionId], { DATABASE_URL: url })).toMatchObject({
    exitCode: 0,
  });
  expect(await tablesWith(url, strings)).toEqual([]);
  const repeated = await replay(journal);
  expect(repeated.exitCode).toBe(0);
  const complete = { revoke: { status: "SUCCEEDED" }, erase: { status: "SUCCEEDED" } };
  const size2 = { connections: 1, absent: 1, restored: 0, withoutReceipts: 0 };
  expect(JSON.parse(repeated.stdout)).toMatchObject({ ...size2, receipts: [complete] });

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
});
