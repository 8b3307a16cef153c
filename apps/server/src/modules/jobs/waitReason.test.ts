import { quotaWindow } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";
import { countJobs } from "../overview/countRows.ts";
import { createApplication } from "../testing/builders.ts";
import { setQuota, startCountingApi } from "../testing/countingApi.ts";
import {
  application,
  disconnect,
  refresh,
  registrations,
  scan,
  service,
  storedJob,
  useConnectionPerTest,
} from "../testing/fixtures.ts";
import { runErase, runScan } from "../testing/tasks.ts";

useConnectionPerTest();

const { logger, lines } = recordingLogger("warn");

beforeEach(async () => {
  Object.assign(service, { logger });
  lines.length = 0;
  await service.prisma.job.deleteMany();
});

test.each([
  ["rate_limited", "RATE_LIMITED"],
  ["unavailable", "PROVIDER_UNAVAILABLE"],
] as const)("stores and logs why a job waits after %s, and clears it when the job ends", async (fault, waitReason) => {
  const { id } = await refresh();
  expect(await storedJob(id)).toMatchObject({ status: "QUEUED", waitReason: "BEHIND_OTHER_WORK" });
  service.fakes.PROVIDER_A.failNext("listContent", fault);
  await runScan(service, id);
  const { nextRetryAt } = await storedJob(id);
  expect(await storedJob(id)).toMatchObject({ status: "QUEUED", waitReason });
  const waiting = { jobId: id, kind: "SCAN", attempt: 1, status: "QUEUED", waitReason, fault };
  expect(logged()).toMatchObject([{ ...waiting, nextRetryAt: nextRetryAt?.toISOString() }]);
  expect(await countJobs(service)).toMatchObject([{ kind: "SCAN", waitReason, count: 1, waitingToRetry: 1 }]);

  service.clock.set(nextRetryAt ?? expect.fail("the job does not wait"));
  await runScan(service, id);
  expect(await storedJob(id)).toMatchObject({ status: "SUCCEEDED", waitReason: null });
});

test("distinguishes our own quota from a limit of the provider", async () => {
  const api = await startCountingApi(service, registrations.PROVIDER_A);
  service.fakes.PROVIDER_A.callsApi = true;
  await setQuota(service, registrations.PROVIDER_A, { units: 1, window: "minute" });
  await scan();
  const id = await scan();
  service.fakes.PROVIDER_A.callsApi = false;
  api.close();
  expect(await storedJob(id)).toMatchObject({ status: "QUEUED", waitReason: "QUOTA", failures: 0 });
  expect(logged()).toMatchObject([{ jobId: id, waitReason: "QUOTA", usedUp: "budget" }]);
});

test("logs that the application's share of our quota is used up, and not the budget", async () => {
  const api = await startCountingApi(service, registrations.PROVIDER_A);
  await createApplication(service, "idle");
  service.fakes.PROVIDER_A.callsApi = true;
  await setQuota(service, registrations.PROVIDER_A, { units: 100, window: "day" });
  const { start, endsAt } = quotaWindow("day", service.clock.current);
  const budget = { registrationId: registrations.PROVIDER_A, budget: "client", windowStart: start };
  const uses = { create: { applicationId: application.id, used: 96 } };
  await service.prisma.providerQuota.create({ data: { ...budget, windowEndsAt: endsAt, used: 96, uses } });
  const id = await scan();
  service.fakes.PROVIDER_A.callsApi = false;
  api.close();
  expect(await storedJob(id)).toMatchObject({ status: "QUEUED", waitReason: "QUOTA", failures: 0 });
  expect(logged()).toMatchObject([{ jobId: id, waitReason: "QUOTA", usedUp: "share" }]);
});

test("stores and logs that a paused registration failed a job", async () => {
  const where = { id: registrations.PROVIDER_A };
  const { id } = await refresh();
  await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
  await runScan(service, id);
  await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
  const failed = { status: "FAILED", errorCode: "AUTHORIZATION_SUSPENDED", waitReason: "PAUSED" };
  expect(await storedJob(id)).toMatchObject(failed);
  expect(logged()).toMatchObject([{ jobId: id, ...failed }]);
});

test("an erasure waits behind the revoke of its connection", async () => {
  const { eraseJobId, revokeJobId } = await disconnect();
  expect(await storedJob(revokeJobId)).toMatchObject({ status: "QUEUED", waitReason: "BEHIND_OTHER_WORK" });
  await runErase(service, eraseJobId);
  expect(await storedJob(eraseJobId)).toMatchObject({ status: "QUEUED", waitReason: "BEHIND_OTHER_WORK" });
  expect(logged()).toMatchObject([{ jobId: eraseJobId, kind: "ERASE", waitReason: "BEHIND_OTHER_WORK" }]);
});

function logged(): unknown[] {
  return lines.map((line) => JSON.parse(line) as { jobId?: string }).filter(({ jobId }) => jobId !== undefined);
}
