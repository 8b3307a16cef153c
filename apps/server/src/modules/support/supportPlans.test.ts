import { beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { SessionActor } from "../admin/actor.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { fillTables, tablesScanned } from "../testing/manyRows.ts";
import { createConnectAttempt, createJob } from "../testing/rows.ts";
import { isPlannable, statementsOf } from "../testing/statements.ts";
import { findByReference } from "./findByReference.ts";
import { searchConnectAttempts, searchConnections } from "./searchConnections.ts";
import { viewConnection } from "./viewConnection.ts";

useApplication();

const correlationId = newId();
let ids: readonly string[];
let connectionId: string;
let actor: SessionActor;

beforeAll(async () => {
  actor = sessionOf(service, await createAdminMember(service));
  const connection = await connect();
  connectionId = connection.id;
  const job = await createJob(service, connection, { correlationId });
  const attempt = await createConnectAttempt(service, application, registrations, { connectionId });
  ids = [connectionId, job.id, attempt.id, correlationId];
  await fillTables(service.pool);
});

async function scannedTables(run: () => Promise<unknown>): Promise<string[]> {
  const statements = (await statementsOf(run)).filter(isPlannable);
  expect(statements.length).toBeGreaterThan(0);
  const scanned = await Promise.all(statements.map(({ text, values }) => tablesScanned(service.pool, text, values)));
  return scanned.flat();
}

const scope = () => ({ clientSlug: "shop", ...application.scope });

test("a search by subject scans no table that grows, on any page", async () => {
  const all = async (search: typeof searchConnections | typeof searchConnectAttempts) => {
    const { pageInfo } = await search(service, actor, scope(), { first: 1, after: null });
    if (pageInfo.endCursor !== null) await search(service, actor, scope(), { first: 1, after: pageInfo.endCursor });
  };
  expect(await scannedTables(() => all(searchConnections))).toEqual([]);
  expect(await scannedTables(() => all(searchConnectAttempts))).toEqual([]);
});

test("a search by any id scans no table that grows", async () => {
  for (const id of [...ids, newId(), ...ids.map((one) => one.slice(0, 8))])
    expect(await scannedTables(() => findByReference(service, actor, id))).toEqual([]);
});

test("opening a connection scans no table that grows", async () => {
  const view = () => viewConnection(service, actor, { id: connectionId, reason: "ticket 1" });
  expect(await scannedTables(view)).toEqual([]);
});
