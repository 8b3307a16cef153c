import type { SocialProvider } from "@social-connect/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection, Job } from "../_generated/prisma/client.ts";
import { enqueueInitialReads } from "../modules/jobs/enqueueInitialReads.ts";
import { requestRefresh } from "../modules/jobs/requestRefresh.ts";
import type { Service, TaskPayload } from "../modules/service.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations } from "../modules/testing/builders.ts";
import { createConnection } from "../modules/testing/connections.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { MovableClock } from "../platform/clock.ts";
import { openDatabase } from "../platform/database.ts";
import { prepareTaskQueues } from "./boss.ts";
import { createTaskQueue } from "./taskQueue.ts";

const HOUR = 3_600_000;

let service: Omit<TestService, "clock"> & Service & { readonly clock: MovableClock };
let application: TestApplication;
let registrations: Record<SocialProvider, string>;

beforeAll(async () => {
  const base = await startTestService();
  registrations = await createRegistrations(base);
  application = await createApplication(base);
  const clock = new MovableClock(base.pool);
  service = { ...base, clock, queue: createTaskQueue(base.pool, clock) };
  await prepareTaskQueues(base.pool);
});
afterAll(() => service.close());

test("accepts only the ID of an existing row as a task's payload", async () => {
  const { id } = await scanOf(await connect("strict"));
  await expect(enqueue({ id })).resolves.toBeUndefined();
  await expect(enqueue({ id, note: "more" } as TaskPayload)).rejects.toThrow(/note/);
  await expect(enqueue({ id: "no uuid" })).rejects.toThrow();
  await expect(enqueue({ id: application.id })).rejects.toThrow("has no row");
});

test("uses a queue per provider and lane, and prioritizes requested work", async () => {
  const connection = await connect("lanes", "PROVIDER_B");
  const asked = await scanOf(connection);
  await service.prisma.connection.update({ where: { id: connection.id }, data: { capabilities: ["PROFILE"] } });
  const profiled = await service.prisma.connection.findUniqueOrThrow({ where: { id: connection.id } });
  const now = await service.clock.now();
  await service.prisma.$transaction((transaction) => enqueueInitialReads(service, transaction, profiled, now));
  const own = await service.prisma.job.findFirstOrThrow({ where: { connectionId: connection.id, kind: "PROFILE" } });
  const [first, second] = [await queued(asked), await queued(own)];
  expect([first.name, second.name]).toEqual(["read.provider-b", "read.provider-b"]);
  expect(first.priority).toBeGreaterThan(second.priority);
});

test("sends a task over its transaction's connection, so senders cannot deadlock on the pool", async () => {
  const { id } = await scanOf(await connect("narrow"));
  const narrow = openDatabase({ url: service.pool.options.connectionString ?? "", poolSize: 1 });
  // A newly started process, without cached queues.
  const queue = createTaskQueue(narrow.pool, service.clock);
  const now = await service.clock.now();
  const later = { startAfter: new Date(now.getTime() + HOUR), now };
  await narrow.prisma.$transaction((transaction) => queue.enqueue(transaction, "scan", { id }));
  await narrow.prisma.$transaction((transaction) => queue.enqueue(transaction, "scan", { id }, later));
  await narrow.close();
});

test("applies a delay in service time regardless of clock changes, and advancing the clock shortens it", async () => {
  await service.clock.advance(30 * 24 * HOUR);
  const job = await scanOf(await connect("delayed"));
  await service.pool.query("DELETE FROM pgboss.job WHERE singleton_key = $1", [job.id]);
  await enqueue({ id: job.id }, new Date((await service.clock.now()).getTime() + HOUR));
  expect((await queued(job)).waits_ms).toBeGreaterThan(HOUR - 60_000);
  expect((await queued(job)).waits_ms).toBeLessThanOrEqual(HOUR);
  await service.clock.advance(HOUR);
  expect((await queued(job)).waits_ms).toBeLessThanOrEqual(0);
});

function connect(accountId: string, provider: SocialProvider = "PROVIDER_A"): Promise<Connection> {
  return createConnection(service, application, registrations, { provider, accountId });
}

async function scanOf(connection: Connection): Promise<Job> {
  const { scope, caller } = application;
  const { id } = await requestRefresh(service, caller, { scope, connectionId: connection.id });
  return service.prisma.job.findUniqueOrThrow({ where: { id } });
}

function enqueue(payload: TaskPayload, startAfter?: Date): Promise<void> {
  const options = startAfter === undefined ? {} : { startAfter };
  return service.prisma.$transaction((transaction) => service.queue.enqueue(transaction, "scan", payload, options));
}

async function queued(job: Job) {
  const { rows } = await service.pool.query<{ name: string; priority: number; waits_ms: number }>(
    `SELECT name, priority, (extract(epoch FROM start_after - now()) * 1000)::float8 AS waits_ms
       FROM pgboss.job WHERE singleton_key = $1 ORDER BY created_on LIMIT 1`,
    [job.id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the job has no waiting task");
  return row;
}
