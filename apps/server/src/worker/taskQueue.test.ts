import type { SocialProvider } from "@social-connect/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection, Job } from "../_generated/prisma/client.ts";
import { keyOf, type RowKey } from "../modules/rowKey.ts";
import { refresh, startInitialReads } from "../modules/testing/calls.ts";
import { openDatabase } from "../platform/database/database.ts";
import { MovableClock } from "../platform/time/clock.ts";
import { createTaskQueue } from "./taskQueue.ts";
import { type RealTimeService, startServiceOnClock } from "./testing/realTimeService.ts";

const HOUR = 3_600_000;

let real: RealTimeService<MovableClock>;
let service: typeof real.service;

beforeAll(async () => {
  real = await startServiceOnClock((pool) => new MovableClock(pool));
  ({ service } = real);
});
afterAll(() => service.close());

test("accepts only the ID of an existing row as a task's payload", async () => {
  const { id, applicationId } = await scanOf(await connect("strict"));
  await expect(enqueue({ id, applicationId })).resolves.toBeUndefined();
  await expect(enqueue({ id, applicationId, note: "more" } as RowKey)).rejects.toThrow(/note/);
  await expect(enqueue({ id: "no uuid", applicationId })).rejects.toThrow();
  await expect(enqueue({ id: applicationId, applicationId })).rejects.toThrow("has no row");
  await expect(enqueue({ id, applicationId: id })).rejects.toThrow("has no row");
});

test("uses a queue per provider and lane, and prioritizes requested work", async () => {
  const connection = await connect("lanes", "PROVIDER_B");
  const asked = await scanOf(connection);
  const where = keyOf(connection);
  const profiled = await service.prisma.connection.update({ where, data: { capabilities: ["PROFILE"] } });
  await startInitialReads(service, profiled);
  const own = await service.prisma.job.findFirstOrThrow({ where: { connectionId: connection.id, kind: "PROFILE" } });
  const [first, second] = [await queued(asked), await queued(own)];
  expect([first.name, second.name]).toEqual(["read.provider-b", "read.provider-b"]);
  expect(first.priority).toBeGreaterThan(second.priority);
});

test("sends a task over its transaction's connection, so senders cannot deadlock on the pool", async () => {
  const { id, applicationId } = await scanOf(await connect("narrow"));
  const row = { id, applicationId };
  const narrow = openDatabase({ url: real.databaseUrl, poolSize: 1 });
  // A newly started process, without cached queues.
  const queue = createTaskQueue(narrow.pool, service.clock);
  const now = await service.clock.now();
  const later = { startAfter: new Date(now.getTime() + HOUR), now };
  await narrow.prisma.$transaction((transaction) => queue.enqueue(transaction, "scan", row));
  await narrow.prisma.$transaction((transaction) => queue.enqueue(transaction, "scan", row, later));
  await narrow.close();
});

test("applies a delay in service time regardless of clock changes, and advancing the clock shortens it", async () => {
  await service.clock.advance(30 * 24 * HOUR);
  const job = await scanOf(await connect("delayed"));
  await service.pool.query("DELETE FROM pgboss.job WHERE singleton_key = $1", [job.id]);
  await enqueue(
    { id: job.id, applicationId: job.applicationId },
    new Date((await service.clock.now()).getTime() + HOUR),
  );
  expect((await queued(job)).waits_ms).toBeGreaterThan(HOUR - 60_000);
  expect((await queued(job)).waits_ms).toBeLessThanOrEqual(HOUR);
  await service.clock.advance(HOUR);
  expect((await queued(job)).waits_ms).toBeLessThanOrEqual(0);
});

function connect(accountId: string, provider: SocialProvider = "PROVIDER_A"): Promise<Connection> {
  return real.connect({ provider, accountId });
}

async function scanOf(connection: Connection): Promise<Job> {
  const { id } = await refresh(service, real.application, connection);
  return service.prisma.job.findFirstOrThrow({ where: { id } });
}

function enqueue(row: RowKey, startAfter?: Date): Promise<void> {
  const options = startAfter === undefined ? {} : { startAfter };
  return service.prisma.$transaction((transaction) => service.queue.enqueue(transaction, "scan", row, options));
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
