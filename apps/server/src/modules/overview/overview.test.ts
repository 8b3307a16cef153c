import { LIMITS } from "@social-connect/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createConnectSession } from "../connect/createConnectSession.ts";
import { requestRefresh } from "../jobs/requestRefresh.ts";
import { createAdminMember, createApiKey } from "../testing/admins.ts";
import { createApplication, createRegistrations, RETURN_URL } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import { setQuota } from "../testing/countingApi.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import {
  countConnectAttempts,
  countConnections,
  countJobs,
  countOverdueJobs,
  listExpiringApiKeys,
  listExpiringCredentials,
  listFullQuotas,
  OVERDUE_AFTER_MS,
} from "./readOverview.ts";

const DAY = 86_400_000;
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test("lists keys from two weeks before they expire, and no expired or revoked ones", async () => {
  const member = await createAdminMember(service);
  const soon = await createApiKey(service, member, "READ");
  const [later, revoked] = [await createApiKey(service, member, "READ"), await createApiKey(service, member, "READ")];
  const after = (ms: number) => new Date(service.clock.current.getTime() + ms);
  await service.prisma.adminApiKey.update({ where: { id: soon.id }, data: { expiresAt: after(14 * DAY) } });
  await service.prisma.adminApiKey.update({ where: { id: later.id }, data: { expiresAt: after(14 * DAY + 1) } });
  await service.prisma.adminApiKey.update({ where: { id: revoked.id }, data: { revokedAt: after(0) } });
  const { keyId } = (await createApplication(service, "ending")).caller;
  await service.prisma.applicationKey.update({ where: { id: keyId }, data: { expiresAt: after(DAY) } });
  expect((await listExpiringApiKeys(service)).map(({ id }) => id)).toEqual([soon.id]);
  const credentials = await listExpiringCredentials(service);
  expect(credentials.map(({ id, application }) => [id, application.slug])).toEqual([[keyId, "ending"]]);
});

async function connected(slug: string) {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service, slug);
  const connection = await createConnection(service, application, registrations);
  return { registrations, application, connection };
}

const refreshOf = ({ application, connection }: Awaited<ReturnType<typeof connected>>) =>
  requestRefresh(service, application.caller, {
    scope: application.scope,
    connectionId: connection.id,
    providerContentId: null,
    window: null,
    continuationCursor: null,
  });

test("counts connections and a day's jobs without identifying users", async () => {
  await refreshOf(await connected("counted"));
  expect(await countConnections(service)).toEqual([{ provider: "PROVIDER_A", status: "CONNECTED", count: 1 }]);
  expect(await countJobs(service)).toEqual([
    {
      provider: "PROVIDER_A",
      kind: "SCAN",
      status: "QUEUED",
      errorCode: null,
      waitReason: "BEHIND_OTHER_WORK",
      count: 1,
      waitingToRetry: 0,
    },
  ]);
  service.clock.advance(DAY);
  expect(await countJobs(service)).toEqual([]);
});

test("counts jobs that wait for a retry, and jobs that no worker claims as overdue", async () => {
  await service.prisma.job.deleteMany();
  const { id } = await refreshOf(await connected("waiting"));
  service.clock.advance(OVERDUE_AFTER_MS - 1);
  expect(await countOverdueJobs(service)).toBe(0);
  service.clock.advance(1);
  expect(await countOverdueJobs(service)).toBe(1);
  const nextRetryAt = new Date(service.clock.current.getTime() + 1_000);
  await service.prisma.job.update({ where: { id }, data: { nextRetryAt, failures: 1 } });
  expect(await countOverdueJobs(service)).toBe(0);
  expect(await countJobs(service)).toMatchObject([{ status: "QUEUED", count: 1, waitingToRetry: 1 }]);
  await service.prisma.job.update({ where: { id }, data: { status: "RUNNING", nextRetryAt: null } });
  service.clock.advance(DAY / 2);
  expect(await countOverdueJobs(service)).toBe(0);
});

test("reports a daily quota whose background share is used up, until the next day and while the registration is published", async () => {
  await service.prisma.providerRegistration.deleteMany();
  const ids = await createRegistrations(service);
  const hours = (count: number) => new Date(service.clock.current.getTime() + count * 3_600_000);
  const use = (registrationId: string, budget: string, used: number) =>
    service.prisma.providerQuota.create({
      data: { registrationId, budget, windowStart: hours(-1), windowEndsAt: hours(1), used },
    });
  await setQuota(service, ids.PROVIDER_A, { units: 100, window: "day", reserve: 0.2 });
  await setQuota(service, ids.PROVIDER_B, { units: 1, window: "minute" });
  await setQuota(service, ids.PROVIDER_C, { units: 10, window: "day", per: "account", reserve: 0.5 });
  await use(ids.PROVIDER_A, "client", 79);
  await use(ids.PROVIDER_B, "read /list", 1);
  expect(await listFullQuotas(service)).toEqual([]);
  for (const [account, used] of [4, 5, 10].entries()) await use(ids.PROVIDER_C, `account ${account}`, used);
  const ofC = {
    registrationId: ids.PROVIDER_C,
    provider: "PROVIDER_C",
    isPerAccount: true,
    count: 2,
    used: 10,
    units: 10,
    endsAt: hours(1),
  };
  expect(await listFullQuotas(service)).toEqual([ofC]);
  await service.prisma.providerQuota.updateMany({ where: { registrationId: ids.PROVIDER_A }, data: { used: 80 } });
  expect((await listFullQuotas(service)).find(({ provider }) => provider === "PROVIDER_A")).toMatchObject({
    isPerAccount: false,
    count: 1,
    used: 80,
    units: 100,
  });
  await service.prisma.providerRegistration.update({ where: { id: ids.PROVIDER_A }, data: { status: "PAUSED" } });
  expect(await listFullQuotas(service)).toEqual([ofC]);
  service.clock.advance(3_600_000);
  expect(await listFullQuotas(service)).toEqual([]);
});

test("counts attempts by result until it expires, and overdue ones as expired", async () => {
  const { application } = await connected("attempting");
  const attempt = () =>
    createConnectSession(service, application.caller, {
      scope: application.scope,
      provider: "PROVIDER_B",
      capabilities: ["PROFILE"],
      returnUrl: RETURN_URL,
      reconnectConnectionId: null,
    });
  const failed = await attempt();
  await attempt();
  await service.prisma.connectAttempt.update({
    where: { id: failed.id },
    data: { status: "FAILED", resultCode: "NOT_A_TESTER" },
  });
  const counted = async () =>
    (await countConnectAttempts(service)).map(({ status, resultCode, count }) => [status, resultCode, count]);
  const ended = ["FAILED", "NOT_A_TESTER", 1];
  expect(await counted()).toEqual([["CREATED", null, 1], ended]);
  service.clock.advance(LIMITS.connectDeadlineMs);
  expect(await counted()).toEqual([ended, ["EXPIRED", "DEADLINE_PASSED", 1]]);
  service.clock.advance(DAY - LIMITS.connectDeadlineMs - 1);
  expect(await counted()).toHaveLength(2);
  service.clock.advance(1);
  expect(await counted()).toEqual([]);
});
