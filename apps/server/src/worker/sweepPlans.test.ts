import { beforeAll, expect, test } from "vitest";
import type { Connection } from "../_generated/prisma/client.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "../modules/disconnect/runRevoke.ts";
import { FORGET_SUBJECTS } from "../modules/events/forgetSubjects.ts";
import { ENQUEUE_BACKGROUND_READS } from "../modules/jobs/enqueueBackgroundReads.ts";
import { EXPIRE_ATTEMPTS } from "../modules/retention/expireAttempts.ts";
import { PURGE_SWEEPS } from "../modules/retention/purge.ts";
import { WATCH_INCIDENTS } from "../modules/rollups/watchIncidents.ts";
import { disconnect, refresh } from "../modules/testing/calls.ts";
import { postsOf } from "../modules/testing/connections.ts";
import { application, connect, service, useApplication } from "../modules/testing/fixtures.ts";
import { fillTables, tablesScanned } from "../modules/testing/manyRows.ts";
import { runToEnd } from "../modules/testing/runToEnd.ts";
import { isPlannable, isWrite, statementsOf } from "../modules/testing/statements.ts";
import { runErase, runRevoke, runScan } from "../modules/testing/tasks.ts";
import { prepareTaskQueues } from "./boss.ts";
import { REQUEUE_LOST_TASKS, REQUEUE_ORPHANED_GRANTS } from "./requeue.ts";

useApplication();

let connection: Connection;

beforeAll(async () => {
  service.clock.set(new Date((await service.pool.query<{ now: Date }>("SELECT now() AS now")).rows[0]?.now ?? 0));
  connection = await connect();
  await prepareTaskQueues(service.pool);
  await fillTables(service.pool);
  service.fakes.PROVIDER_A.posts = postsOf(100, service.clock.current);
});

test.each([
  ["requeues lost tasks", () => runToEnd(service, [REQUEUE_LOST_TASKS])],
  ["requeues orphaned grants", () => runToEnd(service, [REQUEUE_ORPHANED_GRANTS])],
  ["reconciles settlements", () => runToEnd(service, [RECONCILE_REVOKE_SETTLEMENTS])],
  ["enqueues due reads", () => runToEnd(service, [ENQUEUE_BACKGROUND_READS])],
  ["watches incidents", watchIncidents],
  ["expires attempts", () => runToEnd(service, EXPIRE_ATTEMPTS)],
  ["clears receipts", () => runToEnd(service, [FORGET_SUBJECTS])],
  ["purges expired data", () => runToEnd(service, PURGE_SWEEPS)],
])("a sweep that %s scans no growing table", async (_, sweep) => {
  expect(await scannedBy(sweep)).toEqual([]);
});

test("enqueuing, running and repeating a scan scans no growing table", async () => {
  for (let round = 0; round < 2; round += 1) {
    let id = "";
    const order = async () => {
      ({ id } = await refresh(service, application, connection));
    };
    expect(await scannedBy(order)).toEqual([]);
    expect(await scannedBy(() => runScan(service, id))).toEqual([]);
  }
});

test("rewrites 100 posts, their job and connection in one statement", async () => {
  // An event would be stored with the job.
  await service.prisma.eventEndpoint.deleteMany({ where: { applicationId: application.id } });
  service.clock.advance(1_000);
  const { clock } = service;
  const window = { publishedAfter: clock.fromNow(-30 * 86_400_000), publishedBefore: clock.current };
  for (let round = 0; round < 2; round += 1) {
    service.clock.advance(1_000);
    const { id } = await refresh(service, application, connection, { window });
    const statements = await statementsOf(() => runScan(service, id));
    const job = await service.prisma.job.findFirstOrThrow({ where: { id } });
    expect(job).toMatchObject({ status: "SUCCEEDED", itemsObserved: 100 });
    // The claim updates connection and job before the read.
    const writes = statements.filter(isWrite).map(({ text }) => text);
    expect(writes.map((text) => text.includes("content_item"))).toEqual([false, false, true]);
  }
});

test("disconnecting, revoking and erasing scan no growing table", async () => {
  const leave = () => disconnect(service, application, connection);
  expect(await scannedBy(leave)).toEqual([]);
  const { revokeJobId, eraseJobId } = await leave();
  expect(await scannedBy(() => runRevoke(service, revokeJobId))).toEqual([]);
  expect(await scannedBy(() => runErase(service, eraseJobId))).toEqual([]);
  expect(await service.prisma.connection.findFirst({ where: { id: connection.id } })).toBeNull();
});

test("control: detects a sequential scan", async () => {
  const job = () => service.prisma.job.findFirst({ where: { lookupTarget: "x" } });
  expect(await scannedBy(job)).toEqual([expect.stringMatching(/^job:/)]);
  const byHandle = () => service.pool.query("SELECT 1 FROM connection WHERE handle = 'x'");
  expect(await scannedBy(byHandle)).toEqual([expect.stringMatching(/^connection:/)]);
});

/** One that continues, for which it looks, one that ended, which it resumes, and a registration that was published. */
async function watchIncidents(): Promise<void> {
  const [begunAt, endedAt] = [service.clock.fromNow(-7_200_000), service.clock.fromNow(-3_600_000)];
  const { registrationId } = connection;
  const registered = { provider: "PROVIDER_A", registrationId } as const;
  const of = { cause: "PROVIDER_CALLS_FAIL", ...registered, begunAt, failed: 30, total: 30 } as const;
  const key = `${of.cause} ${registrationId}`;
  await service.prisma.incident.createMany({
    data: [
      { ...of, id: `${key} ${begunAt.toISOString()}`, key, lastSeenAt: endedAt },
      { ...of, id: "ended", key: "ended", lastSeenAt: endedAt, endedAt },
    ],
  });
  await service.prisma.providerRegistration.updateMany({ data: { catchUpSince: endedAt } });
  await runToEnd(service, [WATCH_INCIDENTS]);
  expect(await service.prisma.providerRegistration.count({ where: { catchUpSince: { not: null } } })).toBe(0);
  expect(await service.prisma.providerRegistration.count({ where: { lookedAt: { not: null } } })).toBeGreaterThan(0);
  expect(await service.prisma.incident.count({ where: { resumedAt: { not: null } } })).toBe(1);
}

async function scannedBy(run: () => Promise<unknown>): Promise<string[]> {
  const statements = (await statementsOf(run)).filter(isPlannable);
  expect(statements.length).toBeGreaterThan(0);
  const scanned = await Promise.all(
    statements.map(async ({ text, values }) => {
      const tables = await tablesScanned(service.pool, text, values);
      return tables.map((table) => `${table}: ${text}`);
    }),
  );
  return scanned.flat();
}
