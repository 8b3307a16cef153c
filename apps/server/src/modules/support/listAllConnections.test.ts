import type { ConnectionListFilter } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { application, connect, service, useApplicationPerTest } from "../testing/applicationPerTest.ts";
import { allPages } from "../testing/outcomes.ts";
import { listAllConnections } from "./listAllConnections.ts";

useApplicationPerTest();

let clientSlug: string;
let count = 0;

beforeEach(async () => {
  const where = { id: application.id };
  clientSlug = (await service.prisma.application.findUniqueOrThrow({ where })).slug;
});

async function linked(data: Partial<Connection>, provider: Connection["provider"] = "PROVIDER_A"): Promise<string> {
  service.clock.advance(1_000);
  count += 1;
  const { id } = await connect({ provider, accountId: `account-${count}`, externalSubjectId: `user-${count}`, data });
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
