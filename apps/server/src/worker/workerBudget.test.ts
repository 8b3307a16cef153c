import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../modules/service.ts";
import { refresh } from "../modules/testing/calls.ts";
import { postsOf } from "../modules/testing/connections.ts";
import { type CountingApi, setQuota, startCountingApi } from "../modules/testing/countingApi.ts";
import { openDatabase } from "../platform/database/database.ts";
import { SystemClock } from "../platform/time/clock.ts";
import { createTaskQueue } from "./taskQueue.ts";
import { real, useRealService } from "./testing/realTimeService.ts";
import { startWorker } from "./worker.ts";

useRealService();

const UNITS = 20;

let api: CountingApi;

beforeAll(async () => {
  api = await startCountingApi(real.service, real.registrations.PROVIDER_A);
});
afterAll(() => api.close());

test("two workers together stay within the quota, and delay the rest to the next window without a busy loop", async () => {
  const { service, application, registrations, databaseUrl } = real;
  await setQuota(service, registrations.PROVIDER_A, { units: UNITS, window: "day" });
  const fake = service.fakes.PROVIDER_A;
  fake.callsApi = true;
  fake.posts = postsOf(25, await service.clock.now());
  const ids: string[] = [];
  for (let index = 0; index < 15; index += 1) {
    const connection = await real.connect({ accountId: `account-${index}` });
    ids.push((await refresh(service, application, connection)).id);
  }

  const other = openDatabase({ url: databaseUrl, poolSize: 10 });
  const clock = new SystemClock(other.pool);
  const second: Service = { ...service, ...other, clock, queue: createTaskQueue(other.pool, clock) };
  const options = { stopTimeoutMs: 1_000, pollSeconds: 0.5 };
  const workers = await Promise.all([startWorker(service, options), startWorker(second, options)]);
  const read = () => service.prisma.job.findMany({ where: { id: { in: ids } } });
  try {
    await eventually(async () => {
      const jobs = await read();
      expect(jobs.every(({ status, nextRetryAt }) => status === "SUCCEEDED" || nextRetryAt !== null)).toBe(true);
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await other.close();
  }
  expect(api.paths).toHaveLength(UNITS);
  const jobs = await read();
  const waiting = jobs.filter(({ status }) => status === "QUEUED");
  expect(waiting.length).toBeGreaterThan(0);
  for (const { attempt, failures } of waiting) expect([attempt, failures]).toEqual([1, 0]);
  expect(jobs.filter(({ completeForWindow }) => completeForWindow).length).toBeGreaterThan(0);
});
