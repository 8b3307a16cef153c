import type { ConnectionListFilter } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { countForeseenReconnects } from "../overview/countRows.ts";
import { createRegistrations } from "../testing/builders.ts";
import type { ConnectionOptions } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { allPages } from "../testing/outcomes.ts";
import { listAllConnections } from "./listAllConnections.ts";

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

async function listed(filter: ConnectionListFilter, first = 2): Promise<string[]> {
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
