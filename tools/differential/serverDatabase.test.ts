import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requestRefresh } from "../../apps/server/src/modules/jobs/requestRefresh.ts";
import {
  createApplication,
  createRegistrations,
  type TestApplication,
} from "../../apps/server/src/modules/testing/builders.ts";
import { createConnection } from "../../apps/server/src/modules/testing/connections.ts";
import { startTestService, type TestService } from "../../apps/server/src/modules/testing/testService.ts";
import { MovableClock } from "../../apps/server/src/platform/clock.ts";
import { prepareTaskQueues } from "../../apps/server/src/worker/boss.ts";
import { createTaskQueue } from "../../apps/server/src/worker/taskQueue.ts";
import { ServerDatabase } from "./serverDatabase.ts";

const HOUR = 3_600_000;

let service: TestService;
let clock: MovableClock;
let application: TestApplication;
let connectionId: string;
let database: ServerDatabase;

beforeAll(async () => {
  service = await startTestService();
  clock = new MovableClock(service.pool);
  await prepareTaskQueues(service.pool);
  await clock.advance(30 * 24 * HOUR);
  application = await createApplication(service);
  ({ id: connectionId } = await createConnection(service, application, await createRegistrations(service)));
  database = new ServerDatabase(service.pool.options.connectionString ?? "");
});
afterAll(async () => {
  await database.close();
  await service.close();
});
beforeEach(async () => {
  await service.pool.query("DELETE FROM pgboss.job");
  await planReads(null, null);
});

test("has nothing to wait for without tasks and planned reads", async () => {
  expect(await database.quiesce()).toBeNull();
});

test("waits until the earlier of two planned reads", async () => {
  await planReads(3 * HOUR, 2 * HOUR);
  expectAbout(await database.quiesce(), 2 * HOUR);
});

test("a background read that fell due while others ran is due now, although another is planned", async () => {
  await planReads(-HOUR, 2 * HOUR);
  expect(await database.quiesce()).toBe(0);
});

test("waits for a delayed task in the service's time", async () => {
  const queue = createTaskQueue(service.pool, clock);
  const { caller, scope } = application;
  const { id } = await requestRefresh(service, caller, { scope, connectionId });
  const now = await clock.now();
  const startAfter = new Date(now.getTime() + HOUR);
  const row = { id, applicationId: caller.application.id };
  await service.prisma.$transaction((transaction) => queue.enqueue(transaction, "scan", row, { startAfter, now }));
  expectAbout(await database.quiesce(), HOUR);
});

async function planReads(scanInMs: number | null, profileInMs: number | null): Promise<void> {
  const nowMs = (await clock.now()).getTime();
  const at = (ms: number | null) => (ms === null ? null : new Date(nowMs + ms));
  const data = { nextScanAt: at(scanInMs), nextProfileAt: at(profileInMs) };
  await service.prisma.connection.updateMany({ where: { id: connectionId }, data });
}

/** Time passes between planning and reading. */
function expectAbout(ms: number | null, expected: number): void {
  expect(ms).toBeLessThanOrEqual(expected);
  expect(ms).toBeGreaterThan(expected - HOUR / 4);
}
