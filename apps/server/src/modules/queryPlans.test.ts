import type { SubjectScope } from "@social-connect/domain";
import type { QueryResultRow } from "pg";
import { beforeAll, expect, test } from "vitest";
import type { ReadStatement } from "../platform/database/readConnections.ts";
import type { Caller } from "./applications/checkKey.ts";
import { findAttemptResult } from "./connect/store.ts";
import { findAccessRow, findViewRow, findViewRows } from "./connections/store.ts";
import { findContentItem, findContentPage } from "./content/store.ts";
import { listEvents, listFailingEndpoints } from "./events/readEvents.ts";
import { findReadableJob } from "./jobs/store.ts";
import { type ConnectionListArguments, listAllConnections } from "./support/listAllConnections.ts";
import { application, connect, registrations, service, useApplication } from "./testing/fixtures.ts";
import { fillTables, tablesScanned } from "./testing/manyRows.ts";
import { isPlannable, statementsOf } from "./testing/statements.ts";
import type { TestService } from "./testing/testService.ts";

useApplication();

let connectionId: string;

beforeAll(async () => {
  connectionId = (await connect()).id;
  await fillTables(service.pool);
});

/** Runs a read and explains each of its statements. */
async function scannedTables(read: (service: TestService) => Promise<unknown>): Promise<string[]> {
  const scanned: string[] = [];
  const query = async <Row extends QueryResultRow>({ text, values }: ReadStatement): Promise<readonly Row[]> => {
    scanned.push(...(await tablesScanned(service.pool, text, values)));
    return (await service.pool.query<Row>(text, [...values])).rows;
  };
  await read({ ...service, hotReads: { query } });
  return scanned;
}

const window = { publishedAfter: new Date(Date.UTC(2020, 0)), publishedBefore: new Date(Date.UTC(2040, 0)) };
const now = new Date(Date.UTC(2030, 0));
const page = { first: 50, oldestServed: new Date(Date.UTC(2020, 0)), now, after: null };
const position = { publishedAt: new Date(Date.UTC(2039, 0)), id: "00000000-0000-0000-0000-000000000000" };
const anyId = "00000000-0000-0000-0000-000000000001";

type Read = (service: TestService, caller: Caller, scope: SubjectScope) => Promise<unknown>;

test.each([
  ["a connection's access", (...of) => findAccessRow(...of, connectionId, now)],
  ["a connection", (...of) => findViewRow(...of, connectionId, now)],
  ["a subject's connections", (...of) => findViewRows(...of, { first: 20, after: null }, now)],
  ["the next connections", (...of) => findViewRows(...of, { first: 20, after: { createdAt: now, id: anyId } }, now)],
  ["the first page of content", (...of) => findContentPage(...of, connectionId, window, page)],
  ["the next page of content", (...of) => findContentPage(...of, connectionId, window, { ...page, after: position })],
  ["one post", (...of) => findContentItem(...of, { connectionId, providerContentId: "post-1" }, now)],
  ["a connect attempt", (...of) => findAttemptResult(...of, anyId, now)],
  [
    "a job",
    (serviceOfRead, caller, { tenantKey }) =>
      findReadableJob(serviceOfRead, caller, { tenantKey, connectionId, id: anyId }, now),
  ],
] as [string, Read][])("reading %s scans no table that grows", async (_, read) => {
  const scanned = await scannedTables((explaining) => read(explaining, application.caller, application.scope));
  expect(scanned).toEqual([]);
});

const dates = { from: window.publishedAfter, to: window.publishedBefore };

test.each<[string, ConnectionListArguments & { readonly ofClient?: boolean }]>([
  ["of all clients", {}],
  ["of a provider that need a reconnect", { provider: "PROVIDER_B", status: "RECONNECT_REQUIRED" }],
  ["of a client", { ofClient: true, syncStatus: "READY" }],
  ["of a tenant", { ofClient: true, tenantKey: "tenant-1", provider: "PROVIDER_A", ...dates }],
  ["with a code, linked in a time", { errorCode: "UPSTREAM_UNAVAILABLE", ...dates }],
  ["whose reconnect is foreseen", { reconnectForeseen: true }],
  ["with a cause", { cause: "GRANT_ENDED", provider: "PROVIDER_B" }],
  ["with a cause since a time", { causeFrom: window.publishedAfter, ofClient: true }],
  ["without a recorded cause", { cause: "NOT_RECORDED" }],
  ["of a user", { externalSubjectId: "user-7" }],
  ["in the order of users", { order: "USER" }],
  ["in the order of causes", { order: "CAUSE" }],
  ["with the latest causes first", { order: "SINCE", descending: true }],
  ["of a client in the order of users", { ofClient: true, order: "USER" }],
])("the list of connections %s scans no table that grows", async (_, filter) => {
  const { ofClient = false, ...rest } = filter;
  const { slug: clientSlug } = await service.prisma.application.findUniqueOrThrow({ where: { id: application.id } });
  const list = (after: string | null) =>
    listAllConnections(service, ofClient ? { clientSlug, ...rest } : rest, { first: 1, after });
  const statements = await statementsOf(async () => {
    const { pageInfo } = await list(null);
    if (pageInfo.endCursor !== null) await list(pageInfo.endCursor);
  });
  const plannable = statements.filter(isPlannable);
  expect(plannable.length).toBeGreaterThan(0);
  for (const { text, values } of plannable) expect(await tablesScanned(service.pool, text, values)).toEqual([]);
});

test("the list of connections of a registration scans no table that grows", async () => {
  const list = () =>
    listAllConnections(service, { registrationId: registrations.PROVIDER_A }, { first: 1, after: null });
  const statements = (await statementsOf(list)).filter(isPlannable);
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) expect(await tablesScanned(service.pool, text, values)).toEqual([]);
});

test("the lists of events and of failing endpoints scan no table that grows, with any filter and on any page", async () => {
  const filters = [{}, { type: "job.failed" }, { externalSubjectId: "user-7" }, { failed: true }] as const;
  const statements = await statementsOf(async () => {
    for (const filter of filters) {
      const list = (after: string | null) =>
        listEvents(service, { clientId: application.id, ...filter }, { first: 1, after });
      const { pageInfo } = await list(null);
      await list(pageInfo.endCursor);
    }
    expect(await listFailingEndpoints(service)).not.toEqual([]);
  });
  const plannable = statements.filter(isPlannable);
  expect(plannable.length).toBeGreaterThan(filters.length);
  for (const { text, values } of plannable) expect(await tablesScanned(service.pool, text, values)).toEqual([]);
});

test("a read with a scan is detected", async () => {
  const statement = {
    name: "scan",
    operation: "scan",
    owner: "a",
    text: "SELECT * FROM content_item WHERE title = $1",
    values: ["x"],
  };
  expect(await scannedTables(({ hotReads }) => hotReads.query(statement))).toEqual(["content_item"]);
});
