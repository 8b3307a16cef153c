import { CONNECTION_ORDERS, type ConnectionCause } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { countForeseenReconnects } from "../overview/countRows.ts";
import { createRegistrations } from "../testing/builders.ts";
import type { ConnectionOptions } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { allPages } from "../testing/outcomes.ts";
import { countAllConnections } from "./countAllConnections.ts";
import { type ConnectionListArguments, listAllConnections } from "./listAllConnections.ts";

useApplicationPerTest();

const DAY_MS = 86_400_000;
let clientSlug: string;
let count = 0;

beforeEach(async () => {
  const where = { id: application.id };
  clientSlug = (await service.prisma.application.findUniqueOrThrow({ where })).slug;
});

async function linked(
  data: Omit<Partial<Connection>, "callRefusals">,
  provider: Connection["provider"] = "PROVIDER_A",
  options: ConnectionOptions = {},
): Promise<string> {
  service.clock.advance(1_000);
  count += 1;
  const { id } = await connect({
    provider,
    accountId: `account-${count}`,
    externalSubjectId: `user-${count}`,
    data,
    ...options,
  });
  return id;
}

async function listed(filter: ConnectionListArguments, first = 2): Promise<string[]> {
  const rows = await allPages((after) => listAllConnections(service, { clientSlug, ...filter }, { first, after }));
  return rows.map(({ id }) => id);
}

test("lists connections that need a reconnect first, then the newest first, in pages of any size", async () => {
  const ended = { status: "RECONNECT_REQUIRED", syncStatus: "FAILED", scanErrorCode: "RECONNECT_REQUIRED" } as const;
  const first = await linked({});
  const second = await linked(ended);
  const third = await linked({ syncStatus: "READY" }, "PROVIDER_B");
  const fourth = await linked(ended, "PROVIDER_C");
  const fifth = await linked({ status: "SUSPENDED" });
  const expected = [fourth, second, fifth, third, first];
  for (const size of [1, 2, 3, 50]) expect(await listed({}, size)).toEqual(expected);
});

test("filters by each column, and by several", async () => {
  const now = service.clock.current;
  const failed = await linked({ syncStatus: "FAILED", scanErrorCode: "UPSTREAM_UNAVAILABLE" }, "PROVIDER_B");
  const failedWithoutCode = await linked({ syncStatus: "FAILED" });
  const ready = await linked({ syncStatus: "READY", tenantKey: "other" });
  const suspended = await linked({ status: "SUSPENDED", syncStatus: "READY" }, "PROVIDER_B");
  expect(await listed({ provider: "PROVIDER_B" })).toEqual([suspended, failed]);
  expect(await listed({ status: "SUSPENDED" })).toEqual([suspended]);
  expect(await listed({ syncStatus: "FAILED" })).toEqual([failedWithoutCode, failed]);
  expect(await listed({ errorCode: "UPSTREAM_UNAVAILABLE" })).toEqual([failed]);
  expect(await listed({ errorCode: "unknown" })).toEqual([]);
  expect(await listed({ tenantKey: "other" })).toEqual([ready]);
  const [from, to] = [new Date(now.getTime() + 2_000), new Date(now.getTime() + 4_000)];
  expect(await listed({ from, to })).toEqual([ready, failedWithoutCode]);
  expect(await listed({ provider: "PROVIDER_B", syncStatus: "READY", status: "SUSPENDED", from })).toEqual([suspended]);
  const all = await listAllConnections(service, {}, { first: 100, after: null });
  expect(all.items.map(({ id }) => id)).toEqual(expect.arrayContaining([failed, failedWithoutCode, ready, suspended]));
});

test("filters by registration, also where its provider has another", async () => {
  const others = await createRegistrations(service);
  const ended = { status: "RECONNECT_REQUIRED", syncStatus: "FAILED", scanErrorCode: "RECONNECT_REQUIRED" } as const;
  const first = await linked({}, "PROVIDER_B");
  const moved = await linked({ registrationId: others.PROVIDER_B }, "PROVIDER_B");
  const endedThere = await linked({ registrationId: others.PROVIDER_B, ...ended }, "PROVIDER_B");
  const suspended = await linked({ registrationId: others.PROVIDER_B, status: "SUSPENDED" }, "PROVIDER_B");
  const registrationId = others.PROVIDER_B;
  expect(await listed({ registrationId })).toEqual([endedThere, suspended, moved]);
  expect(await listed({ registrationId, clientSlug: null })).toEqual([endedThere, suspended, moved]);
  expect(await listed({ registrationId, clientSlug: null, status: "SUSPENDED" })).toEqual([suspended]);
  expect(await listed({ registrationId, provider: "PROVIDER_A" })).toEqual([]);
  expect(await listed({ registrationId: registrations.PROVIDER_B, provider: "PROVIDER_B" })).toEqual([first]);
  expect(await listed({ registrationId: others.PROVIDER_C })).toEqual([]);
});

test("filters by a foreseen reconnect exactly what the overview counts", async () => {
  const ending = (data: Partial<Connection>, days: number, provider?: Connection["provider"]) => {
    const tokens = { refreshTokenExpiresAt: service.clock.fromNow(days * DAY_MS) };
    return linked(data, provider, { tokens });
  };
  const before = await countForeseenReconnects(service);
  const first = await ending({}, 5);
  const suspended = await ending({ status: "SUSPENDED", syncStatus: "READY" }, 2, "PROVIDER_B");
  const last = await ending({}, 1);
  await ending({}, 8);
  await ending({ status: "RECONNECT_REQUIRED" }, 1);
  await ending({ status: "DISCONNECTED" }, 1);
  await linked({});
  const reconnectForeseen = true;
  for (const size of [1, 2, 50]) expect(await listed({ reconnectForeseen }, size)).toEqual([last, suspended, first]);
  expect(await listed({ reconnectForeseen, provider: "PROVIDER_B" })).toEqual([suspended]);
  expect(await listed({ reconnectForeseen, status: "CONNECTED" })).toEqual([last, first]);
  expect(await listed({ reconnectForeseen, syncStatus: "READY", tenantKey: application.tenantKey })).toEqual([
    suspended,
  ]);
  expect(await listed({ reconnectForeseen, errorCode: "UPSTREAM_UNAVAILABLE" })).toEqual([]);
  expect(await listed({ reconnectForeseen, registrationId: registrations.PROVIDER_A })).toEqual([last, first]);
  expect(await listed({ reconnectForeseen: false })).toHaveLength(7);
  const counted = (counts: typeof before, provider: string) =>
    counts.find((row) => row.provider === provider)?.count ?? 0;
  const after = await countForeseenReconnects(service);
  expect(counted(after, "PROVIDER_A") - counted(before, "PROVIDER_A")).toBe(2);
  expect(counted(after, "PROVIDER_B") - counted(before, "PROVIDER_B")).toBe(1);
});

test("refuses an unknown registration", async () => {
  for (const registrationId of [newId(), "none"]) {
    const page = listAllConnections(service, { registrationId }, { first: 1, after: null });
    await expect(page).rejects.toMatchObject({ field: "registrationId" });
  }
});

test("refuses an unknown client, and a cursor of another filter", async () => {
  await linked({});
  await linked({});
  const unknown = listAllConnections(service, { clientSlug: "nobody" }, { first: 1, after: null });
  await expect(unknown).rejects.toMatchObject({ field: "clientSlug" });
  const { pageInfo } = await listAllConnections(service, { clientSlug }, { first: 1, after: null });
  const other = listAllConnections(
    service,
    { clientSlug, provider: "PROVIDER_A" },
    { first: 1, after: pageInfo.endCursor },
  );
  await expect(other).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("stores a code only for a failed scan", async () => {
  const stored = linked({ syncStatus: "READY", scanErrorCode: "UPSTREAM_UNAVAILABLE" });
  await expect(stored).rejects.toThrow("connection_scan_error_code_check");
});

const since = (hours: number) => service.clock.fromNow(-hours * 3_600_000);
const caused = (cause: ConnectionCause, hours: number, status: Connection["status"] = "RECONNECT_REQUIRED") => ({
  ...{ status, cause, causeSince: since(hours) },
});

test("filters by cause and since when, those that have it latest first", async () => {
  const old = await linked(caused("GRANT_ENDED", 30), "PROVIDER_B");
  const fresh = await linked(caused("GRANT_ENDED", 1));
  const removed = await linked(caused("AUTHORIZATION_REMOVED", 2));
  const waiting = await linked({ ...caused("PROVIDER_UNAVAILABLE", 3, "CONNECTED"), syncStatus: "FAILED" });
  const unrecorded = await linked({ status: "RECONNECT_REQUIRED" });
  await linked({});
  for (const size of [1, 50]) {
    expect(await listed({ cause: "GRANT_ENDED" }, size)).toEqual([fresh, old]);
    expect(await listed({ causeFrom: since(24) }, size)).toEqual([fresh, removed, waiting]);
  }
  expect(await listed({ cause: "GRANT_ENDED", provider: "PROVIDER_B" })).toEqual([old]);
  expect(await listed({ causeTo: since(24) })).toEqual([old]);
  expect(await listed({ cause: "PROVIDER_UNAVAILABLE" })).toEqual([waiting]);
  expect(await listed({ cause: "NOT_RECORDED" })).toEqual([unrecorded]);
  expect(await listed({ cause: "NOT_RECORDED", status: "CONNECTED" })).toEqual([]);
  expect(await listed({ cause: "QUOTA" })).toEqual([]);
});

test("sorts by each column in both directions and in pages of any size; without a cause comes last", async () => {
  const b = await linked(caused("GRANT_ENDED", 3), "PROVIDER_A", { externalSubjectId: "b" });
  const a = await linked({ ...caused("QUOTA", 1, "CONNECTED"), tenantKey: "z" }, "PROVIDER_A", {
    externalSubjectId: "a",
  });
  const c = await linked(caused("GRANT_ENDED", 2), "PROVIDER_A", { externalSubjectId: "c" });
  const fine = await linked({}, "PROVIDER_A", { externalSubjectId: "d" });
  const expected = {
    USER: [a, b, c, fine],
    CLIENT: [...[b, c, fine].toSorted(), a],
    CAUSE: [b, c, a, fine],
    SINCE: [b, c, a, fine],
  };
  for (const order of CONNECTION_ORDERS)
    for (const size of [1, 3, 50]) {
      expect([order, await listed({ order }, size)]).toEqual([order, expected[order]]);
      const { [order]: all } = expected;
      const reversed =
        order === "USER" || order === "CLIENT" ? all.toReversed() : [...all.slice(0, 3).toReversed(), fine];
      expect([order, await listed({ order, descending: true }, size)]).toEqual([order, reversed]);
    }
});

test("finds a user, and a handle only where the client's rules and the consent show it", async () => {
  const profile = { handle: "@Maker", profileObservedAt: service.clock.current };
  const shown = await linked(profile, "PROVIDER_A", { externalSubjectId: "sought" });
  await linked({ ...profile, status: "RECONNECT_REQUIRED" });
  await linked({ ...profile, profileObservedAt: since(31 * 24) });
  await linked(profile, "PROVIDER_A", { capabilities: ["CONTENT_LIST"] });
  expect(await listed({ externalSubjectId: "sought" })).toEqual([shown]);
  expect(await listed({ externalSubjectId: "soug" })).toEqual([]);
  expect(await listed({ handle: "maker" })).toEqual([shown]);
  await service.prisma.application.update({ where: { id: application.id }, data: { capabilities: ["CONTENT_LIST"] } });
  await expect(listed({ handle: "maker" })).rejects.toMatchObject({ field: "handle" });
});

test("counts by client and by cause exactly what it lists", async () => {
  await linked(caused("GRANT_ENDED", 1), "PROVIDER_B");
  await linked(caused("GRANT_ENDED", 2), "PROVIDER_B");
  await linked({ status: "RECONNECT_REQUIRED" }, "PROVIDER_B");
  await linked({});
  const group = { clientId: null, clientSlug: null };
  expect(await countAllConnections(service, { clientSlug }, "CAUSE")).toEqual({
    count: 4,
    groupCount: 3,
    groups: expect.arrayContaining([
      { ...group, cause: "GRANT_ENDED", count: 2 },
      { ...group, cause: null, count: 1 },
      { ...group, cause: "NOT_RECORDED", count: 1 },
    ]),
  });
  const ofClient = { clientId: application.id, clientSlug, cause: null };
  const { groups, groupCount } = await countAllConnections(service, { status: "RECONNECT_REQUIRED" }, "CLIENT");
  expect(groups.find(({ clientId }) => clientId === application.id)).toEqual({ ...ofClient, count: 3 });
  expect(groupCount).toBe(groups.length);
  expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).toSorted((x, y) => y - x));
  expect((await countAllConnections(service, { clientSlug, cause: "NOT_RECORDED" }, "CLIENT")).groups).toEqual([
    { ...ofClient, count: 1 },
  ]);
});
