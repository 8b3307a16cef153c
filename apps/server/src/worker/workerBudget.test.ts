import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { eventually } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestRefresh } from "../modules/jobs/requestRefresh.ts";
import type { Service } from "../modules/service.ts";
import type { TestApplication } from "../modules/testing/builders.ts";
import { createApplication, createRegistrations } from "../modules/testing/builders.ts";
import { createConnection, postsOf } from "../modules/testing/connections.ts";
import type { CountingApi } from "../modules/testing/countingApi.ts";
import { setQuota, startCountingApi } from "../modules/testing/countingApi.ts";
import type { TestService } from "../modules/testing/testService.ts";
import { startTestService } from "../modules/testing/testService.ts";
import { SystemClock } from "../platform/clock.ts";
import { openDatabase } from "../platform/database.ts";
import { Secret } from "../platform/secret.ts";
import { createSecretBox } from "../platform/secretBox.ts";
import { prepareTaskQueues } from "./boss.ts";
import { createTaskQueue } from "./taskQueue.ts";
import { startWorker } from "./worker.ts";

const UNITS = 20;

let service: Omit<TestService, "clock"> & Service;
let application: TestApplication;
let registrations: Record<SocialProvider, string>;
let api: CountingApi;

beforeAll(async () => {
  const secretBox = createSecretBox([{ id: "test", key: new Secret(randomBytes(32).toString("base64")) }]);
  const base = await startTestService({ secretBox });
  registrations = await createRegistrations(base);
  application = await createApplication(base);
  const clock = new SystemClock(base.pool);
  service = { ...base, clock, queue: createTaskQueue(base.pool, clock) };
  await prepareTaskQueues(base.pool);
  api = await startCountingApi(service, registrations.PROVIDER_A);
});
afterAll(async () => {
  api.close();
  await service.close();
});

test("two workers together stay within the quota, and delay the rest to the next window without a busy loop", async () => {
  await setQuota(service, registrations.PROVIDER_A, { units: UNITS, window: "day" });
  const fake = service.fakes.PROVIDER_A;
  fake.callsApi = true;
  fake.posts = postsOf(25, await service.clock.now());
  const ids: string[] = [];
  for (let index = 0; index < 15; index += 1) ids.push(await refresh(`account-${index}`));

  const other = openDatabase({ url: service.pool.options.connectionString ?? "", poolSize: 10 });
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

async function refresh(accountId: string): Promise<string> {
  const connection = await createConnection(service, application, registrations, { accountId });
  const request = { scope: application.scope, connectionId: connection.id };
  return (await requestRefresh(service, application.caller, request)).id;
}
