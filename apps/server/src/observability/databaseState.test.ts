import { beforeEach, expect, test } from "vitest";
import { setQuota } from "../modules/testing/countingApi.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../modules/testing/fixtures.ts";
import { fillTables, tablesScanned } from "../modules/testing/manyRows.ts";
import {
  createConnectAttempt,
  createEventEndpoint,
  createJob,
  createPendingGrant,
  createPost,
} from "../modules/testing/rows.ts";
import { recordingLogger } from "../platform/testing/recordingLogger.ts";
import { observeDatabase, STATE } from "./databaseState.ts";
import type { Observation } from "./metrics.ts";

useApplicationPerTest();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

beforeEach(async () => {
  await service.prisma.job.deleteMany();
  await service.prisma.connection.deleteMany();
  await service.prisma.grant.deleteMany();
  await service.prisma.sweepState.deleteMany();
  await service.prisma.event.deleteMany();
  await service.prisma.eventEndpoint.deleteMany();
  await service.prisma.applicationKey.deleteMany();
});

type Values = ReadonlyMap<string, number>;

/** By name and labels. */
async function read(state = observeDatabase(service)): Promise<Values> {
  return new Map((await state()).map((each) => [keyOf(each), each.value]));
}

function keyOf({ name, labels }: Observation): string {
  return [name.replace("social_connect_", ""), ...Object.values(labels)].join(" ");
}

test("shows how long a job waits: since it was created, or since its next attempt is due", async () => {
  expect((await read()).get("oldest_waiting_job_age_seconds")).toBe(0);
  const connection = await connect();
  const queued = { status: "QUEUED", waitReason: "BEHIND_OTHER_WORK", finishedAt: null } as const;
  const notYet = { nextRetryAt: service.clock.fromNow(HOUR), waitReason: "RATE_LIMITED" } as const;
  await createJob(service, connection, { ...queued, ...notYet, createdAt: service.clock.fromNow(-HOUR) });
  expect((await read()).get("oldest_waiting_job_age_seconds")).toBe(0);
  await createJob(service, connection, { ...queued, createdAt: service.clock.fromNow(-5 * MINUTE) });
  expect((await read()).get("oldest_waiting_job_age_seconds")).toBe(300);
  const due = { nextRetryAt: service.clock.fromNow(-10 * MINUTE), kind: "PROFILE" } as const;
  await createJob(service, connection, { ...queued, ...due, createdAt: service.clock.fromNow(-DAY) });
  const values = await read();
  expect(values.get("oldest_waiting_job_age_seconds")).toBe(600);
  expect(values.get("jobs_waiting SCAN PROVIDER_A RATE_LIMITED")).toBe(1);
  expect(values.get("jobs_waiting SCAN PROVIDER_A BEHIND_OTHER_WORK")).toBe(1);
  expect(values.get("jobs_waiting PROFILE PROVIDER_A BEHIND_OTHER_WORK")).toBe(1);
});

test("shows sweeps, grants, the oldest observations and keys that expire soon", async () => {
  const at = service.clock.current;
  await service.prisma.sweepState.createMany({
    data: [
      { name: "sound", ranAt: at, succeededAt: at, handled: 1, remaining: 0 },
      { name: "broken", ranAt: at, failedAt: at, error: "RangeError", handled: 0, remaining: 7 },
    ],
  });
  const connection = await connect({ data: { profileObservedAt: service.clock.fromNow(-2 * HOUR) } });
  await createPendingGrant(service, await createConnectAttempt(service, application, registrations));
  for (const hours of [4, 1]) {
    const { id } = await createPost(service, connection);
    const since = service.clock.fromNow(-hours * HOUR);
    await service.pool.query("UPDATE content_item SET observed_since = $2 WHERE id = $1", [id, since]);
  }
  const key = { applicationId: application.id, secretHash: Buffer.alloc(32), createdAt: at };
  const expiring = [-HOUR, HOUR, 6 * DAY, 8 * DAY].map((inMs) => service.clock.fromNow(inMs));
  const keys = expiring.map((expiresAt) => ({ ...key, id: crypto.randomUUID(), expiresAt }));
  await service.prisma.applicationKey.createMany({ data: [...keys, { ...key, id: crypto.randomUUID() }] });
  const values = await read();
  expect(values.get("sweep_last_success_timestamp_seconds sound")).toBe(at.getTime() / 1_000);
  expect(values.get("sweep_last_success_timestamp_seconds broken")).toBe(0);
  expect(values.get("sweep_failing sound")).toBe(0);
  expect(values.get("sweep_failing broken")).toBe(1);
  expect(values.get("sweep_backlog broken")).toBe(7);
  expect(values.get("grants ACTIVE")).toBe(1);
  expect(values.get("grants PENDING")).toBe(1);
  expect(values.get("grants GONE")).toBe(0);
  expect(values.get("oldest_observation_age_seconds profile")).toBe(7_200);
  expect(values.get("oldest_observation_age_seconds content")).toBe(14_400);
  expect(values.get("keys_expiring application")).toBe(2);
  expect(values.get("keys_expiring admin")).toBe(0);
});

test("shows the units that are left of a budget that applications share, and no budget of an account", async () => {
  const [shared, ofAccounts] = [registrations.PROVIDER_A, registrations.PROVIDER_C];
  await setQuota(service, shared, { units: 100, per: "client", window: "day" });
  await setQuota(service, ofAccounts, { units: 50, per: "account", window: "day" });
  expect((await read()).get(`provider_quota_units_left PROVIDER_A ${shared} client`)).toBe(100);
  const window = { windowStart: service.clock.fromNow(-HOUR), windowEndsAt: service.clock.fromNow(HOUR) };
  const past = { windowStart: service.clock.fromNow(-DAY), windowEndsAt: service.clock.fromNow(-HOUR) };
  const budget = { registrationId: shared, budget: "client" };
  await service.prisma.providerQuota.createMany({
    data: [
      { ...budget, ...window, used: 30 },
      { ...budget, ...past, used: 99 },
      { registrationId: ofAccounts, budget: "account 1a2b", ...window, used: 1 },
    ],
  });
  const values = await read();
  expect(values.get(`provider_quota_units PROVIDER_A ${shared} client`)).toBe(100);
  expect(values.get(`provider_quota_units_left PROVIDER_A ${shared} client`)).toBe(70);
  expect([...values.keys()].filter((key) => key.includes(ofAccounts))).toEqual([]);
});

test("shows a registration whose client the provider refuses, and no other", async () => {
  const refused = { where: { id: registrations.PROVIDER_B }, data: { refusedSince: service.clock.current } };
  await service.prisma.providerRegistration.update(refused);
  const shown = [...(await read())].filter(([key]) => key.startsWith("application_refused"));
  expect(shown).toEqual([[`application_refused PROVIDER_B ${registrations.PROVIDER_B}`, 1]]);
});

test("shows what waits to be delivered, and endpoints that fail, but none that an admin turned off", async () => {
  const failingSince = service.clock.current;
  const endpoint = await createEventEndpoint(service, application, { failingSince });
  await createEventEndpoint(service, application);
  const off = { failingSince, enabled: false };
  await createEventEndpoint(service, application, { ...off, turnedOffReason: "FAILING" });
  await createEventEndpoint(service, application, { ...off, turnedOffReason: "BY_ADMIN" });
  const event = { id: crypto.randomUUID(), applicationId: application.id, type: "test", occurredAt: failingSince };
  await service.prisma.event.create({ data: event });
  const delivery = {
    applicationId: application.id,
    eventId: event.id,
    endpointId: endpoint.id,
    createdAt: failingSince,
  };
  await service.prisma.eventDelivery.create({ data: { id: crypto.randomUUID(), status: "WAITING", ...delivery } });
  const values = await read();
  expect(values.get("event_endpoints_failing")).toBe(2);
  expect(values.get("event_deliveries_waiting")).toBe(1);
});

test("reads at most every 15 seconds, and reports that it could not read instead of old values", async () => {
  let elapsed = 0;
  let reads = 0;
  const { logger, lines } = recordingLogger("warn");
  const pool = {
    query: (...of: Parameters<typeof service.pool.query>) => {
      reads += 1;
      return service.pool.query(...of);
    },
  };
  const observed = { ...service, logger, reads: { ...service.reads, pool: pool as typeof service.pool } };
  const state = observeDatabase(observed, () => elapsed);
  expect((await read(state)).get("state_read")).toBe(1);
  elapsed = 14_999;
  await read(state);
  expect(reads).toBe(1);
  elapsed = 15_000;
  pool.query = () => Promise.reject(new Error("test")) as never;
  expect([...(await read(state))]).toEqual([["state_read", 0]]);
  expect(lines.join("")).toContain("could not be read");
});

test("scans no table that grows", async () => {
  await connect();
  await fillTables(service.pool);
  const now = service.clock.current;
  const values = [now, service.clock.fromNow(7 * DAY), ["PROVIDER_C"]];
  const scanned = await tablesScanned(service.pool, STATE, values);
  // Budgets are read of registrations without budgets of accounts, which have a few rows; the plan cannot know.
  expect(scanned.filter((table) => table !== "provider_quota")).toEqual([]);
});
