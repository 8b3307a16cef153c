import { MOST_PEOPLE } from "@social-connect/domain";
import { beforeEach, expect, test } from "vitest";
import type { SessionActor } from "../admin/actor.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { createApplication } from "../testing/builders.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { createConnectAttempt } from "../testing/rows.ts";
import { findPeople, suggestUsers } from "./findPeople.ts";

useApplicationPerTest();

let actor: SessionActor;
let clientSlug: string;
let count = 0;

beforeEach(async () => {
  actor = sessionOf(service, await createAdminMember(service));
  const where = { id: application.id };
  clientSlug = (await service.prisma.application.findUniqueOrThrow({ where })).slug;
  // A search of all clients would find what the other tests stored.
  await service.prisma.connection.deleteMany();
  await service.prisma.connectAttempt.deleteMany();
  await service.prisma.auditEntry.deleteMany();
});

const link = (externalSubjectId: string) => connect({ externalSubjectId, accountId: `account-${++count}` });
const attempt = (externalSubjectId: string, of = application) =>
  createConnectAttempt(service, of, registrations, { externalSubjectId });
const suggested = (startsWith: string, tenantKey = application.scope.tenantKey) =>
  suggestUsers(service, actor, { clientSlug, tenantKey, startsWith });
const summaries = async () =>
  (await service.prisma.auditEntry.findMany({ orderBy: { at: "asc" } })).map(({ summary }) => summary);

test("suggests the ids that begin with the text, of connections and of attempts, each once", async () => {
  for (const id of ["user-42", "user-42", "user-4", "User-42", "user-5", "auser-4", "%ser-4"]) await link(id);
  for (const id of ["user-42", "user-420", "user-é"]) await attempt(id);
  expect(await suggested("user-4")).toEqual(["user-4", "user-42", "user-420"]);
  expect(await suggested("user-é")).toEqual(["user-é"]);
  expect(await suggested("u_er")).toEqual([]);
  expect(await suggested("%")).toEqual(["%ser-4"]);
  expect(await suggested("user-4", "tenant-2")).toEqual([]);
});

test("suggests the first eight, in the order of their characters", async () => {
  const ids = Array.from({ length: MOST_PEOPLE + 2 }, (_value, index) => `user-${index}`);
  for (const id of ids.toReversed()) await link(id);
  expect(await suggested("user")).toEqual(ids.slice(0, MOST_PEOPLE));
});

const known = (externalSubjectId: string) => ({
  clientSlug,
  tenantKey: application.scope.tenantKey,
  externalSubjectId,
});

test("finds an id in all clients and tenants, the tenants that were removed too, and then those that begin with it", async () => {
  await link("user-42");
  await link("user-42");
  await attempt("user-42");
  for (const id of ["user-420", "user-é", "User-42", "auser-42", "user_42"]) await link(id);
  const other = await createApplication(service, `${clientSlug}-other`);
  const scope = { tenantKey: "removed", externalSubjectId: "user-42" };
  await attempt("user-42", { ...other, scope });
  await service.prisma.application.update({ where: { id: other.id }, data: { tenantKeys: [] } });
  const exact = [known("user-42"), { ...scope, clientSlug: `${clientSlug}-other` }];
  const find = (text: string) => findPeople(service, actor, text);
  expect(await find("user-42")).toEqual([...exact, known("user-420")]);
  expect(await find("user-4")).toEqual([...exact, known("user-420")]);
  expect(await find("user-")).toEqual([...exact, known("user-420"), known("user-é")]);
  expect(await find("User")).toEqual([known("User-42")]);
  expect(await find("ser-4")).toEqual([]);
  // Neither is a wildcard.
  for (const text of ["use_", "user%"]) expect(await find(text)).toEqual([]);
});

test("fewer than four characters are a whole id", async () => {
  for (const id of ["42", "423", "4234"]) await link(id);
  for (const id of ["42", "423", "4234"]) expect(await findPeople(service, actor, id)).toEqual([known(id)]);
  expect(await findPeople(service, actor, "4")).toEqual([]);
});

test("finds at most eight people, first those with the id", async () => {
  for (let index = 0; index < MOST_PEOPLE + 2; index += 1) {
    const scope = { tenantKey: `tenant-${index}`, externalSubjectId: "user-42" };
    await attempt("user-42", { ...application, scope });
    await link(`user-42-${index}`);
  }
  const tenants = (people: Awaited<ReturnType<typeof findPeople>>) => people.map(({ tenantKey }) => tenantKey);
  const first = Array.from({ length: MOST_PEOPLE }, (_value, index) => `tenant-${index}`);
  for (const text of ["user-42", "user"]) expect(tenants(await findPeople(service, actor, text))).toEqual(first);
});

test("records what was shown once in 15 minutes, and never the text", async () => {
  await link("user-42");
  for (const text of ["u", "us", "user-42", "x"]) await suggested(text);
  for (const text of ["user-43", "user-42", "user-42", "user-4"]) await findPeople(service, actor, text);
  const entries = ["Was shown ids of users while typing.", "Searched for a user in all clients."];
  expect(await summaries()).toEqual(entries);
  const stored = await service.prisma.auditEntry.findMany();
  expect(stored).toMatchObject(entries.map(() => ({ actor: actor.email, targetId: application.id, clientSlug })));
  expect(JSON.stringify(stored)).not.toContain("user-42");
  const another = sessionOf(service, await createAdminMember(service));
  await suggestUsers(service, another, { clientSlug, tenantKey: application.scope.tenantKey, startsWith: "u" });
  service.clock.advance(15 * 60_000);
  await suggested("u");
  expect(await summaries()).toHaveLength(4);
});

test("shows nothing if the audit entry cannot be stored", async () => {
  await link("user-42");
  const prisma = new Proxy(service.prisma, {
    get(target, name) {
      if (name === "auditEntry") throw new Error("no audit log");
      return Reflect.get(target, name, target);
    },
  });
  const unrecorded = { ...service, prisma };
  await expect(findPeople(unrecorded, actor, "user-42")).rejects.toThrow("no audit log");
  const suggestions = suggestUsers(unrecorded, actor, { clientSlug, tenantKey: "tenant-1", startsWith: "user" });
  await expect(suggestions).rejects.toThrow("no audit log");
});

test("ids have the collation of bytes, by which an index finds a beginning in any database", async () => {
  const { rows } = await service.pool.query(
    `SELECT table_name, collation_name FROM information_schema.columns
      WHERE column_name = 'external_subject_id' ORDER BY table_name`,
  );
  expect(rows).toEqual(
    ["connect_attempt", "connection", "event", "import_line", "revoke_settlement"].map((table) => ({
      table_name: table,
      collation_name: "C",
    })),
  );
});
