import { type Incident, type IncidentCause, quotaWindow } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { ProviderError } from "../../providers/contract.ts";
import { accountBudget, QuotaUsedUpError } from "../quota/meteredAccess.ts";
import { createApplication } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createJob } from "../testing/rows.ts";
import { runProfileRead, runScan } from "../testing/tasks.ts";
import { lookForEnd } from "./lookForEnd.ts";
import { readLooks } from "./readLooks.ts";

useApplicationPerTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = { units: 10, window: "day", per: "client", reserve: 0.2 } as const;
const FAILED = { syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE", cause: "PROVIDER_UNAVAILABLE" } as const;
const READY = { syncStatus: "READY" } as const;
const registrationId = () => registrations.PROVIDER_A;

beforeEach(async () => {
  for (const table of ["providerQuota", "job", "connection"] as const)
    await (service.prisma[table] as typeof service.prisma.job).deleteMany();
  await setRegistration({ lookedAt: null, quota: DAY, allApplications: true });
  service.fakes.PROVIDER_A.calls.length = 0;
  service.clock.set(new Date(Math.ceil((service.clock.current.getTime() + 48 * HOUR) / HOUR) * HOUR));
});

function setRegistration(data: Prisma.ProviderRegistrationUncheckedUpdateInput) {
  return service.prisma.providerRegistration.update({ where: { id: registrationId() }, data });
}

/** The looks of so many minutes, as a worker runs them. `fails`: the accounts whose reads the provider answers with an error. */
async function look(minutes: number, fails: readonly string[] = [], cause: IncidentCause = "PROVIDER_CALLS_FAIL") {
  const looks: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const incident = { cause, detail: null, registrationId: registrationId() };
    await lookForEnd(service, incident, service.clock.current);
    const jobs = await service.prisma.job.findMany({ where: { status: "QUEUED", nextRetryAt: null } });
    for (const { id, kind, connectionId } of jobs) {
      const connection = await service.prisma.connection.findFirstOrThrow({ where: { id: connectionId } });
      const { providerAccountId: account } = connection;
      if (fails.includes(account))
        service.fakes.PROVIDER_A.failNext(kind === "SCAN" ? "listContent" : "readAccount", "unavailable");
      service.fakes.PROVIDER_A.account = { ...service.fakes.PROVIDER_A.account, providerAccountId: account };
      await (kind === "SCAN" ? runScan : runProfileRead)(service, id);
      const { status } = await service.prisma.job.findFirstOrThrow({ where: { id } });
      looks.push(`${kind} ${account} ${status}`);
    }
    service.clock.advance(MINUTE);
  }
  return looks;
}

test("reads no connection of a disabled client, of a policy that does not allow it, or without a grant", async () => {
  const of = async (data: Prisma.ApplicationUpdateInput) => {
    const { id, ...rest } = await createApplication(service, `unserved-${newId()}`);
    await service.prisma.application.update({ where: { id }, data });
    await createConnection(service, { id, ...rest }, registrations, { accountId: "unserved", data: FAILED });
  };
  for (const data of [{ enabled: false }, { providers: [] }, { tenantKeys: [] }, { capabilities: [] }]) await of(data);
  const gone = await connect({ accountId: "gone", data: FAILED });
  await service.prisma.grant.updateMany({ where: { connectionId: gone.id }, data: { status: "GONE" } });
  await connect({ accountId: "expired", data: FAILED, tokens: { refreshTokenExpiresAt: service.clock.current } });
  expect(await look(2)).toEqual([]);
  await connect({ accountId: "fine", data: READY });
  expect(await look(3)).toEqual(Array.from({ length: 3 }, () => "PROFILE fine SUCCEEDED"));
});

test("goes on once a minute after the clock was set back", async () => {
  await connect({ accountId: "one", data: READY });
  expect(await look(1)).toEqual(["PROFILE one SUCCEEDED"]);
  service.clock.set(new Date(service.clock.current.getTime() - 3 * HOUR));
  expect(await look(2)).toEqual(["PROFILE one SUCCEEDED", "PROFILE one SUCCEEDED"]);
});

test("repeats scans that failed because of it, each in turn, and leaves those that failed for a reason of their own", async () => {
  for (const accountId of ["one", "two", "three"]) await connect({ accountId, data: FAILED });
  const capabilities = ["CONTENT_LIST"] as const;
  await connect({ accountId: "own", capabilities, data: { ...FAILED, cause: "CALLS_REFUSED" } });
  const otherCode = { ...FAILED, scanErrorCode: "CAPABILITY_UNAVAILABLE" } as const;
  await connect({ accountId: "other code", capabilities, data: otherCode });
  const looks = await look(6, ["one", "two", "three"]);
  for (const turn of [looks.slice(0, 3), looks.slice(3)])
    expect(turn.toSorted()).toEqual(["SCAN one FAILED", "SCAN three FAILED", "SCAN two FAILED"]);
});

test("an account that always fails gets one look in half an hour, and the others show by a scan that it is over", async () => {
  await connect({ accountId: "broken", data: FAILED });
  for (const accountId of ["one", "two"]) await connect({ accountId, data: READY });
  const looks = await look(31, ["broken"]);
  expect(looks).toHaveLength(31);
  expect(looks[0]).toBe("SCAN broken FAILED");
  for (const other of looks.slice(1, 30)) expect(other).toMatch(/^SCAN (one|two) SUCCEEDED$/);
  expect(looks[30]).toBe("SCAN broken FAILED");
});

test("makes no look while the quota or the client's share of it is used up, and looks again in the next window", async () => {
  const { id } = await connect({ data: FAILED });
  const spend = (budget: string, used: number, uses: Prisma.ProviderQuotaCreateInput["uses"] = {}) => {
    const { start: windowStart, endsAt: windowEndsAt } = quotaWindow("day", service.clock.current);
    const registration = { connect: { id: registrationId() } };
    return service.prisma.providerQuota.create({
      data: { registration, budget, windowStart, windowEndsAt, used, uses },
    });
  };
  const toTomorrow = () => service.clock.set(quotaWindow("day", service.clock.current).endsAt);
  const shared = await createApplication(service, `shares-${newId()}`);
  await setRegistration({
    allApplications: false,
    applications: { deleteMany: {}, create: [{ applicationId: application.id }, { applicationId: shared.id }] },
  });
  toTomorrow();
  // What is left is reserved for reads that people ask for.
  await spend("client", 8);
  const of = {
    cause: "PROVIDER_CALLS_FAIL",
    detail: null,
    registrationId: registrationId(),
    endedAt: null,
  } as Incident;
  expect(await readLooks(service, of)).toBe("LIMITED");
  expect(await look(40)).toEqual([]);
  expect(await service.prisma.job.count()).toBe(0);
  expect(await service.prisma.connection.findFirst({ where: { id } })).toMatchObject(FAILED);

  toTomorrow();
  await spend("client", 4, { create: { applicationId: application.id, used: 4 } });
  expect(await look(2)).toEqual([]);
  await createConnection(service, shared, registrations, { accountId: "of-another", data: FAILED });
  expect(await readLooks(service, of)).toBe("EVERY_MINUTE");
  expect(await look(1)).toEqual(["SCAN of-another SUCCEEDED"]);

  toTomorrow();
  await setRegistration({ quota: { ...DAY, per: "account" } });
  await spend(accountBudget(registrationId(), "provider_a-account-1"), 8);
  expect(await look(2)).toEqual(["PROFILE of-another SUCCEEDED", "PROFILE of-another SUCCEEDED"]);
  toTomorrow();
  expect(await look(1)).toEqual(["SCAN provider_a-account-1 SUCCEEDED"]);
});

test("a look that meets a limit is the last one until the limit ends", async () => {
  for (const accountId of ["one", "two"]) await connect({ accountId, data: READY });
  const meet = (error: Error) => service.fakes.PROVIDER_A.failures.set("readAccount", [error]);
  meet(new ProviderError("rate_limited", "test", { retryAfterSeconds: 300 }));
  expect(await look(5)).toEqual([expect.stringMatching(/^PROFILE (one|two) FAILED$/)]);
  expect(await look(2)).toHaveLength(1);
  const now = service.clock.current;
  meet(new QuotaUsedUpError({ start: now, endsAt: new Date(now.getTime() + HOUR) }, now));
  expect(await look(60)).toEqual([expect.stringMatching(/^PROFILE (one|two) FAILED$/)]);
  // The first minutes of a window are for reads that wait.
  expect(await look(22)).not.toEqual([]);
});

test("looks once a minute while all reads wait as long as the provider asked, unless it is a limit", async () => {
  const later = service.clock.fromNow(6 * HOUR);
  const wait = async (data: Prisma.JobUncheckedUpdateInput) => service.prisma.job.updateMany({ data });
  for (const accountId of ["one", "two"]) {
    const connection = await connect({ accountId, data: { ...FAILED, scanErrorCode: null } });
    for (const kind of ["SCAN", "PROFILE"] as const)
      await createJob(service, connection, {
        kind,
        status: "QUEUED",
        background: true,
        finishedAt: null,
        nextRetryAt: later,
      });
  }
  await wait({ waitReason: "RATE_LIMITED" });
  expect(await look(3)).toEqual([]);
  await wait({ waitReason: "PROVIDER_UNAVAILABLE" });
  const looks = await look(10, ["one", "two"]);
  expect(looks).toHaveLength(10);
  for (const made of looks) expect(made).toMatch(/^PROFILE (one|two) FAILED$/);
  expect(await service.prisma.job.count({ where: { status: "QUEUED", nextRetryAt: later } })).toBe(4);

  await service.prisma.connection.updateMany({ data: { capabilities: ["CONTENT_LIST"] } });
  expect(await look(1)).toEqual([expect.stringMatching(/^SCAN (one|two) SUCCEEDED$/)]);
});
