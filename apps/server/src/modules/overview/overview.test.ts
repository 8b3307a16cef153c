import { LIMITS } from "@social-connect/contract";
import { expect, test } from "vitest";
import { createAdminMember, createApiKey } from "../testing/admins.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { refresh, startConnect } from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import { setQuota } from "../testing/countingApi.ts";
import { service, useService } from "../testing/fixtures.ts";
import {
  countConnectAttempts,
  countConnections,
  countFailedScans,
  countForeseenReconnects,
  countJobs,
  countOverdueJobs,
  OVERDUE_AFTER_MS,
} from "./countRows.ts";
import { listExpiringApiKeys, listExpiringCredentials, listFullQuotas } from "./readOverview.ts";

useService();

const DAY = 86_400_000;

test("lists keys from two weeks before they expire, and no expired or revoked ones", async () => {
  const member = await createAdminMember(service);
  const soon = await createApiKey(service, member, "READ");
  const [later, revoked] = [await createApiKey(service, member, "READ"), await createApiKey(service, member, "READ")];
  const { clock, prisma } = service;
  await prisma.adminApiKey.update({ where: { id: soon.id }, data: { expiresAt: clock.fromNow(14 * DAY) } });
  await prisma.adminApiKey.update({ where: { id: later.id }, data: { expiresAt: clock.fromNow(14 * DAY + 1) } });
  await prisma.adminApiKey.update({ where: { id: revoked.id }, data: { revokedAt: clock.current } });
  const { keyId } = (await createApplication(service, "ending")).caller;
  await prisma.applicationKey.update({ where: { id: keyId }, data: { expiresAt: clock.fromNow(DAY) } });
  expect((await listExpiringApiKeys(service)).map(({ id }) => id)).toEqual([soon.id]);
  expect((await listExpiringCredentials(service, {})).map(({ id }) => id)).toEqual([keyId]);
});

async function connected(slug: string) {
  const registrations = await createRegistrations(service);
  const application = await createApplication(service, slug);
  return { application, connection: await createConnection(service, application, registrations) };
}

async function refreshOf(slug: string) {
  const { application, connection } = await connected(slug);
  return refresh(service, application, connection);
}

test("counts connections and a day's jobs without identifying users", async () => {
  await refreshOf("counted");
  expect(await countConnections(service)).toEqual([{ provider: "PROVIDER_A", status: "CONNECTED", count: 1 }]);
  const scan = { provider: "PROVIDER_A", kind: "SCAN", status: "QUEUED", errorCode: null };
  const waiting = { waitReason: "BEHIND_OTHER_WORK", count: 1, waitingToRetry: 0 };
  expect(await countJobs(service)).toEqual([{ ...scan, ...waiting }]);
  service.clock.advance(DAY);
  expect(await countJobs(service)).toEqual([]);
});

test("counts the connections of a client, and those whose latest scan failed by code", async () => {
  const { application, connection } = await connected("failing");
  const failed = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE" } as const;
  const of = { id_applicationId: { id: connection.id, applicationId: connection.applicationId } };
  await service.prisma.connection.update({ where: of, data: failed });
  await connected("other");
  const one = { provider: "PROVIDER_A", count: 1 };
  expect(await countConnections(service, application.id)).toEqual([{ ...one, status: "CONNECTED" }]);
  expect(await countFailedScans(service)).toEqual([{ ...one, errorCode: "UPSTREAM_UNAVAILABLE" }]);
});

test("foresees reconnects from seven days before the end of a refresh token until it ends", async () => {
  const { connection } = await connected("ending-consent");
  const { clock, prisma } = service;
  const endsIn = (ms: number, status: "ACTIVE" | "GONE" = "ACTIVE") =>
    prisma.grant.updateMany({
      where: { connectionId: connection.id },
      data: { status, refreshTokenExpiresAt: clock.fromNow(ms) },
    });
  await endsIn(7 * DAY + 1);
  expect(await countForeseenReconnects(service)).toEqual([]);
  await endsIn(7 * DAY);
  const firstAt = clock.fromNow(7 * DAY);
  const one = { provider: "PROVIDER_A", count: 1, firstAt };
  expect(await countForeseenReconnects(service)).toEqual([{ ...one, hasMore: false }]);
  const second = await connected("ending-later");
  await prisma.grant.updateMany({
    where: { connectionId: second.connection.id },
    data: { refreshTokenExpiresAt: clock.fromNow(7 * DAY) },
  });
  expect(await countForeseenReconnects(service, { most: 2 })).toEqual([{ ...one, count: 2, hasMore: false }]);
  expect(await countForeseenReconnects(service, { most: 1 })).toEqual([{ ...one, hasMore: true }]);
  await prisma.grant.updateMany({ where: { connectionId: second.connection.id }, data: { status: "GONE" } });
  await endsIn(7 * DAY, "GONE");
  expect(await countForeseenReconnects(service)).toEqual([]);
  await endsIn(0);
  expect(await countForeseenReconnects(service)).toEqual([]);
});

test("counts jobs that wait for a retry, and jobs that no worker claims as overdue", async () => {
  await service.prisma.job.deleteMany();
  const { id } = await refreshOf("waiting");
  service.clock.advance(OVERDUE_AFTER_MS - 1);
  expect(await countOverdueJobs(service)).toBe(0);
  service.clock.advance(1);
  expect(await countOverdueJobs(service)).toBe(1);
  const nextRetryAt = service.clock.fromNow(1_000);
  await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt, failures: 1 } });
  expect(await countOverdueJobs(service)).toBe(0);
  expect(await countJobs(service)).toMatchObject([{ status: "QUEUED", count: 1, waitingToRetry: 1 }]);
  await service.prisma.job.updateMany({ where: { id }, data: { status: "RUNNING", nextRetryAt: null } });
  service.clock.advance(DAY / 2);
  expect(await countOverdueJobs(service)).toBe(0);
});

test("reports a daily quota whose background share is used up, until the next day and while the registration is published", async () => {
  await service.prisma.providerRegistration.deleteMany();
  const ids = await createRegistrations(service);
  const HOUR = 3_600_000;
  const endsAt = service.clock.fromNow(HOUR);
  const window = { windowStart: service.clock.fromNow(-HOUR), windowEndsAt: endsAt };
  const use = (registrationId: string, budget: string, used: number) =>
    service.prisma.providerQuota.create({ data: { registrationId, budget, ...window, used } });
  await setQuota(service, ids.PROVIDER_A, { units: 100, window: "day", reserve: 0.2 });
  await setQuota(service, ids.PROVIDER_B, { units: 1, window: "minute" });
  await setQuota(service, ids.PROVIDER_C, { units: 10, window: "day", per: "account", reserve: 0.5 });
  await use(ids.PROVIDER_A, "client", 79);
  await use(ids.PROVIDER_B, "read /list", 1);
  expect(await listFullQuotas(service)).toEqual([]);
  for (const [account, used] of [4, 5, 10].entries()) await use(ids.PROVIDER_C, `account ${account}`, used);
  const quotaOfC = { registrationId: ids.PROVIDER_C, provider: "PROVIDER_C", isPerAccount: true };
  const ofC = { ...quotaOfC, count: 2, used: 10, units: 10, endsAt };
  expect(await listFullQuotas(service)).toEqual([ofC]);
  await service.prisma.providerQuota.updateMany({ where: { registrationId: ids.PROVIDER_A }, data: { used: 80 } });
  const ofA = (await listFullQuotas(service)).find(({ provider }) => provider === "PROVIDER_A");
  expect(ofA).toMatchObject({ isPerAccount: false, count: 1, used: 80, units: 100 });
  await service.prisma.providerRegistration.update({ where: { id: ids.PROVIDER_A }, data: { status: "PAUSED" } });
  expect(await listFullQuotas(service)).toEqual([ofC]);
  service.clock.advance(HOUR);
  expect(await listFullQuotas(service)).toEqual([]);
});

test("counts attempts by result until it expires, and overdue ones as expired", async () => {
  const { application } = await connected("attempting");
  const { id } = await startConnect(service, application, { provider: "PROVIDER_B" });
  await startConnect(service, application, { provider: "PROVIDER_B" });
  const failed = { status: "FAILED", resultCode: "NOT_A_TESTER" } as const;
  await service.prisma.connectAttempt.updateMany({ where: { id }, data: failed });
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
