import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../platform/database/database.ts";
import type { ProviderAdapter, RegistrationAccess } from "../../providers/contract.ts";
import { PROVIDER_ADAPTERS } from "../../providers/registry/registry.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import type { Service } from "../service.ts";
import type { CountingApi, QuotaColumn } from "../testing/countingApi.ts";
import * as countingApi from "../testing/countingApi.ts";
import { application, registrations, service, useApplication } from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { meteredAccess, type QuotaUse, QuotaUsedUpError } from "./meteredAccess.ts";

useApplication();

const MINUTE = 60_000;
const ASKED: Omit<QuotaUse, "applicationId"> = { urgency: "requested", providerAccountId: "one" };

let api: CountingApi;

beforeEach(async () => {
  service.clock.set("2026-03-10T12:00:20.000Z");
  api = await countingApi.startCountingApi(service, registrations.PROVIDER_A);
});
afterEach(() => api.close());

test("allows calls up to the budget, and delays the next one to the end of the window", async () => {
  await setQuota({ units: 3, window: "minute" });
  const access = await metered();
  for (let calls = 0; calls < 3; calls += 1) await read(access);
  await expect(read(access)).rejects.toMatchObject({ kind: "rate_limited", retryAfterSeconds: 40 });
  expect(api.paths).toHaveLength(3);

  service.clock.advance(MINUTE);
  await read(await metered());
  expect(api.paths).toHaveLength(4);
});

test("shares the budget exactly between concurrent processes", async () => {
  await setQuota({ units: 60, window: "minute" });
  const other = openDatabase({ url: service.pool.options.connectionString ?? "", poolSize: 10 });
  try {
    const here = await metered();
    const there = await metered(ASKED, { ...service, pool: other.pool, prisma: other.prisma });
    const calls = Array.from({ length: 100 }, (_, index) => read(index % 2 === 0 ? here : there));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(60);
    expect(api.paths).toHaveLength(60);
  } finally {
    await other.close();
  }
});

test("keeps the reserve from background reads for requested reads", async () => {
  await setQuota({ units: 10, window: "minute", reserve: 0.2 });
  const own = await metered({ ...ASKED, urgency: "background" });
  for (let calls = 0; calls < 8; calls += 1) await read(own);
  await expect(read(own)).rejects.toThrow(QuotaUsedUpError);
  await read(await metered());
  // The first reads of a new account may use the reserve too.
  const asked = await metered({ ...ASKED, urgency: "first" });
  await read(asked);
  await expect(read(asked)).rejects.toThrow(QuotaUsedUpError);
  expect(api.paths).toHaveLength(10);
});

test("isolates budgets per read and per account", async () => {
  await setQuota({ units: 1, per: "read" });
  const access = await metered();
  await read(access, "/video/list/");
  await read(access, "/user/info/");
  await expect(read(access, "/video/list/")).rejects.toThrow(QuotaUsedUpError);

  await setQuota({ units: 1, per: "account" });
  const [one, two] = [await metered(), await metered({ ...ASKED, providerAccountId: "two" })];
  await read(one);
  await read(two);
  await expect(read(one, "/another")).rejects.toThrow(QuotaUsedUpError);
  const rows = await service.prisma.providerQuota.findMany();
  expect(rows).toHaveLength(2);
  for (const { budget } of rows) expect(budget).toMatch(/^account [0-9a-f]{64}$/);
});

test("does not charge token and revocation endpoints", async () => {
  await setQuota({ units: 1 });
  const access = await metered();
  await read(access);
  await access.fetch(access.addresses.token, { method: "POST" });
  expect(api.paths).toEqual(["/api/list", "/token"]);
});

test("throttles only background reads on the provider's usage header", async () => {
  await setQuota({ units: 100, per: "account", reserve: 0.2 });
  const listening = readingUsage();
  const asked = await metered(ASKED, listening);
  const own = await metered({ ...ASKED, urgency: "background" }, listening);

  api.headers = { used: "0.1" };
  await read(own);
  api.headers = { used: "0.85" };
  await read(own);
  await expect(read(own)).rejects.toThrow(QuotaUsedUpError);
  await read(asked);
  api.headers = { used: "1.2" };
  await read(asked);
  await read(asked);
  await expect(read(own)).rejects.toThrow(QuotaUsedUpError);
  // Another account is not affected.
  await read(await metered({ ...ASKED, providerAccountId: "two" }, listening));
});

test("ignores the usage header of a rejection, which states its own wait", async () => {
  await setQuota({ units: 100, per: "account", reserve: 0.2 });
  const own = await metered({ ...ASKED, urgency: "background" }, readingUsage());
  Object.assign(api, { headers: { used: "1" }, status: 403 });
  expect((await own.fetch(`${own.addresses.api}/list`)).status).toBe(403);
  Object.assign(api, { headers: { used: "0" }, status: 200 });
  await read(own);
});

test("deletes only budgets whose window has ended", async () => {
  await setQuota({ units: 5, window: "minute" });
  await read(await metered());
  expect(await runToEnd(service, PURGE_SWEEPS)).toMatchObject({ deleteBudgets: 0 });
  service.clock.advance(MINUTE);
  expect(await runToEnd(service, PURGE_SWEEPS)).toMatchObject({ deleteBudgets: 1 });
});

test("declares each provider's quota in its adapter", () => {
  const quotas = Object.values(PROVIDER_ADAPTERS).map(({ traits }) => traits.quota);
  expect(quotas).toEqual([
    { units: 10_000, window: "pacific-day", per: "client", reserve: 0.2 },
    { units: 600, window: "minute", per: "read", reserve: 0.2 },
    { units: 4_800, window: "day", per: "account", reserve: 0.2 },
  ]);
});

/** The service with an adapter that reads a usage header. */
function readingUsage(): Service {
  const { provider, traits } = service.fakes.PROVIDER_A;
  const adapter = { provider, traits, readUsage: (headers: Headers) => Number(headers.get("used")) };
  return { ...service, provider: () => adapter as ProviderAdapter };
}

const setQuota = (quota: QuotaColumn) => countingApi.setQuota(service, registrations.PROVIDER_A, quota);

async function metered(use: typeof ASKED = ASKED, as: Service = service): Promise<RegistrationAccess> {
  const row = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id: registrations.PROVIDER_A } });
  const access = registrationAccess(as, row, service.clock.current);
  return meteredAccess(as, row, access, { ...use, applicationId: application.id });
}

async function read(access: RegistrationAccess, path = "/list"): Promise<void> {
  const response = await access.fetch(`${access.addresses.api}${path}`);
  expect(response.status).toBe(200);
}
