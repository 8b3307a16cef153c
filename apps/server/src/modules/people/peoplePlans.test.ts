import { beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { SessionActor } from "../admin/actor.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { disconnect } from "../testing/calls.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { fillTables, tablesScanned } from "../testing/manyRows.ts";
import { createConnectAttempt, createPost } from "../testing/rows.ts";
import { isPlannable, statementsOf } from "../testing/statements.ts";
import { runErase, runRevoke } from "../testing/tasks.ts";
import { exportPerson } from "./exportPerson.ts";
import { findPeople, suggestUsers } from "./findPeople.ts";
import { viewPerson } from "./readPerson.ts";

useApplication();

let actor: SessionActor;

beforeAll(async () => {
  actor = sessionOf(service, await createAdminMember(service));
  const erased = await connect({ accountId: "erased" });
  const { revokeJobId, eraseJobId } = await disconnect(service, application, erased);
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);
  const connection = await connect();
  await createPost(service, connection);
  await createConnectAttempt(service, application, registrations, { connectionId: connection.id });
  await fillTables(service.pool);
  await service.pool.query(
    `INSERT INTO job (id, application_id, connection_id, scope_hash, provider, kind, status, created_at, finished_at)
     SELECT gen_random_uuid(), application_id, gen_random_uuid(), '\\x00', provider, 'ERASE', 'SUCCEEDED', now(), now()
       FROM connection`,
  );
  await service.pool.query("ANALYZE");
});

const scope = () => ({ clientSlug: "shop", ...application.scope });

async function scannedTables(run: () => Promise<unknown>, fewest = 11): Promise<string[]> {
  const statements = (await statementsOf(run)).filter(isPlannable);
  expect(statements.length).toBeGreaterThanOrEqual(fewest);
  const scanned = await Promise.all(statements.map(({ text, values }) => tablesScanned(service.pool, text, values)));
  return scanned.flat();
}

test("the page of a person scans no table that grows, whether something is stored or not", async () => {
  expect(await scannedTables(() => viewPerson(service, actor, scope()))).toEqual([]);
  const nobody = { ...scope(), externalSubjectId: newId() };
  expect(await scannedTables(() => viewPerson(service, actor, nobody))).toEqual([]);
});

test("an export scans no table that grows", async () => {
  const person = { application: { id: application.id, slug: "shop" }, ...application.scope };
  const readAll = async () => {
    for await (const _ of (await exportPerson(service, actor, person, "ticket 1")).parts);
  };
  expect(await scannedTables(readAll)).toEqual([]);
});

test("suggestions of users and the search in all clients scan no table that grows", async () => {
  const { tenantKey, externalSubjectId } = application.scope;
  for (const startsWith of ["u", externalSubjectId, newId()]) {
    const suggest = () => suggestUsers(service, actor, { clientSlug: "shop", tenantKey, startsWith });
    expect(await scannedTables(suggest, 3)).toEqual([]);
  }
  // Most ids begin with “user”.
  for (const text of [externalSubjectId, "user", "u", newId()])
    expect(await scannedTables(() => findPeople(service, actor, text), 2)).toEqual([]);
});
