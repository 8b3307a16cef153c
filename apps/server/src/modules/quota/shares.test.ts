import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RegistrationAccess } from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import { PURGE_SWEEPS } from "../retention/purge.ts";
import type { Urgency } from "../service.ts";
import { createApplication, type TestApplication } from "../testing/builders.ts";
import { type CountingApi, setQuota, startCountingApi } from "../testing/countingApi.ts";
import { application, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { statementsOf } from "../testing/statements.ts";
import { meteredAccess } from "./meteredAccess.ts";
import { readQuotaUse } from "./readQuotaUse.ts";

useApplicationPerTest();

const HOUR = 3_600_000;
const UNITS = 60;

let api: CountingApi;

beforeAll(async () => {
  api = await startCountingApi(service, registrations.PROVIDER_A);
});
afterAll(() => api.close());
beforeEach(async () => {
  service.clock.set("2026-03-10T00:00:00.000Z");
  await serve(application);
  await setQuota(service, registrations.PROVIDER_A, { units: UNITS, window: "day", per: "client", reserve: 0.2 });
});

describe("a budget that applications share", () => {
  test("is all for the only application that is served", async () => {
    expect(await takeAll(application)).toBe(UNITS);
    expect(await refusal(application)).toMatchObject({ message: "the provider call budget is used up" });
  });

  test("keeps a share for an application that asks later, and lends it as the day passes", async () => {
    const late = await another("late");
    await serve(application, late);
    expect(await takeAll(application)).toBe(UNITS / 2);
    service.clock.advance(12 * HOUR);
    expect(await takeAll(application)).toBe(UNITS / 4);
    service.clock.advance(12 * HOUR - 1);
    expect(await takeAll(application)).toBe(12);
    expect(await takeAll(late)).toBe(3);
    expect(await uses()).toEqual({ [application.id]: 57, [late.id]: 3 });
  });

  test("gives each of three applications its share, in any order of their calls", async () => {
    const [second, third] = [await another("second"), await another("third")];
    await serve(application, second, third);
    for (const one of [application, second, third]) await read(await metered(one));
    expect(await takeAll(application)).toBe(UNITS / 3 - 1);
    expect(await takeAll(third)).toBe(UNITS / 3 - 1);
    expect(await takeAll(second)).toBe(UNITS / 3 - 1);
    expect(await total()).toBe(UNITS);
  });

  test("of five units a day keeps whole ones for the application that asks later", async () => {
    const late = await another("late");
    await serve(application, late);
    await setQuota(service, registrations.PROVIDER_A, { units: 5, window: "day", per: "client" });
    expect(await takeAll(application)).toBe(3);
    service.clock.advance(12 * HOUR - 1);
    expect(await takeAll(application)).toBe(0);
    service.clock.advance(12 * HOUR);
    expect(await takeAll(application)).toBe(1);
    expect(await takeAll(late)).toBe(1);
    expect(await takeAll(late)).toBe(0);
    expect(await uses()).toEqual({ [application.id]: 4, [late.id]: 1 });
  });

  test("reserves no share for a disabled client, or for a client that the registration does not serve", async () => {
    const disabled = await another("disabled");
    await service.prisma.application.update({ where: { id: disabled.id }, data: { enabled: false } });
    await another("elsewhere");
    await serve(application, disabled);
    expect(await takeAll(application)).toBe(UNITS);
  });

  test("is shared by all clients if the registration serves all", async () => {
    await another("any");
    await serveAll();
    expect(await takeAll(application)).toBe(UNITS / 2);
  });

  test("says when the share is lent, and that the share is used up and not the budget", async () => {
    await serve(application, await another("idle"));
    await takeAll(application);
    // 29 units are left after it, of the 30 that the other did not use.
    const lent = new Date("2026-03-10T00:48:00.000Z");
    expect(await refusal(application)).toMatchObject({
      message: "the application's share of the provider call budget is used up",
      shareFreeAt: lent,
      quotaWindow: { endsAt: new Date("2026-03-11T00:00:00.000Z") },
    });
  });

  test("leaves the reserve to requested reads and first reads of new accounts", async () => {
    await serve(application, await another("reserved"));
    expect(await takeAll(application, "background")).toBe(24);
    expect(await takeAll(application, "first")).toBe(6);
    expect(await takeAll(application, "requested")).toBe(0);
  });

  test("exceeds shares only by the calls in flight, and never the limit", async () => {
    const other = await another("parallel");
    await serve(application, other);
    const [flooding, polite] = [await metered(application), await metered(other)];
    const calls = Array.from({ length: 4 * UNITS }, (_, index) => read(index % 4 === 0 ? polite : flooding));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(await total());
    const { [application.id]: flood = 0, [other.id]: own = 0 } = await uses();
    expect(flood + own).toBe(await total());
    expect(await total()).toBeLessThanOrEqual(UNITS);
    // The pool has 20 connections.
    expect(flood).toBeLessThanOrEqual(UNITS / 2 + 20);
  });
});

test("charges within a share in one statement", async () => {
  const access = await metered(application);
  expect(await statementsOf(() => read(access))).toHaveLength(1);
  await serve(application, await another("one-statement"));
  expect(await statementsOf(() => read(access))).toHaveLength(1);
});

test("counts an account's own budget for no application", async () => {
  await serve(application, await another("per-account"));
  await setQuota(service, registrations.PROVIDER_A, { units: 10, per: "account" });
  expect(await takeAll(application)).toBe(10);
  expect(await uses()).toEqual({});
});

describe("what was used of a registration's quota", () => {
  test("is shown by client with its share, and the share of clients without calls", async () => {
    const [other, idle] = [await another("other"), await another("idle")];
    await serve(application, other, idle);
    expect(await shown()).toEqual([]);
    for (const one of [application, application, other]) await read(await metered(one));
    const window = { units: UNITS, endsAt: new Date("2026-03-11T00:00:00.000Z") };
    const shares = { [application.id]: [2, 20], [other.id]: [1, 20] };
    expect(await shown()).toEqual([{ ...window, read: null, used: 3, keptForOthers: 20, shares }]);
    await read(await metered(idle));
    expect(await shown()).toMatchObject([{ used: 4, keptForOthers: 0 }]);
    service.clock.advance(24 * HOUR);
    expect(await shown()).toEqual([]);
  });

  test("is shown for each read without the ids in its path", async () => {
    await setQuota(service, registrations.PROVIDER_A, { units: 5, window: "day", per: "read" });
    const access = await metered(application);
    for (const path of ["/list", "/17895695668004550/insights", "/17895695668004551/insights"])
      await read(access, path);
    expect(await shown()).toMatchObject([
      { read: "/api/*/insights", used: 2 },
      { read: "/api/list", used: 1 },
    ]);
  });
});

test("deletes the uses of ended windows and of erased applications", async () => {
  const erased = await another("erased");
  await serve(application, erased);
  for (const one of [application, erased]) await read(await metered(one));
  await service.prisma.application.delete({ where: { id: erased.id } });
  expect(await uses()).toEqual({ [application.id]: 1 });
  service.clock.advance(24 * HOUR);
  await runToEnd(service, PURGE_SWEEPS);
  expect(await uses()).toEqual({});
});

let slugs = 0;
function another(slug: string): Promise<TestApplication> {
  slugs += 1;
  return createApplication(service, `${slug}-${slugs}`);
}

async function serve(...served: readonly TestApplication[]): Promise<void> {
  const create = served.map(({ id: applicationId }) => ({ applicationId }));
  await service.prisma.providerRegistration.update({
    where: { id: registrations.PROVIDER_A },
    data: { allApplications: false, applications: { deleteMany: {}, create } },
  });
}

async function serveAll(): Promise<void> {
  await service.prisma.application.deleteMany({
    where: { id: { not: application.id }, slug: { not: `any-${slugs}` } },
  });
  const where = { id: registrations.PROVIDER_A };
  await service.prisma.providerRegistration.update({ where, data: { allApplications: true } });
}

async function metered({ id }: TestApplication, urgency: Urgency = "requested"): Promise<RegistrationAccess> {
  const row = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id: registrations.PROVIDER_A } });
  const access = registrationAccess(service, row, service.clock.current);
  return meteredAccess(service, row, access, { urgency, applicationId: id, providerAccountId: "one" });
}

async function read(access: RegistrationAccess, path = "/list"): Promise<void> {
  expect((await access.fetch(`${access.addresses.api}${path}`)).status).toBe(200);
}

async function shown() {
  const where = { id: registrations.PROVIDER_A };
  const budgets = await readQuotaUse(service, await service.prisma.providerRegistration.findUniqueOrThrow({ where }));
  return budgets.map(({ clients, ...budget }) => ({
    ...budget,
    shares: Object.fromEntries(clients.map(({ clientId, used, share }) => [clientId, [used, share]])),
  }));
}

/** Reads until it is refused; returns how often it was not. */
async function takeAll(by: TestApplication, urgency?: Urgency): Promise<number> {
  const access = await metered(by, urgency);
  for (let taken = 0; ; taken += 1) {
    if (
      await read(access).then(
        () => false,
        () => true,
      )
    )
      return taken;
  }
}

async function refusal(by: TestApplication): Promise<unknown> {
  return read(await metered(by)).then(
    () => expect.fail("a unit was free"),
    (error: unknown) => error,
  );
}

async function uses(): Promise<Record<string, number>> {
  const rows = await service.prisma.providerQuotaUse.findMany();
  return Object.fromEntries(rows.map(({ applicationId, used }) => [applicationId, used]));
}

async function total(): Promise<number> {
  return (await service.prisma.providerQuota.findFirstOrThrow()).used;
}
