import { beforeAll, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { SessionActor } from "../admin/actor.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { disconnect } from "../testing/calls.ts";
import { dumpDatabase, encodingsOf } from "../testing/databaseDump.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { createConnectAttempt, createImportLine, createJob, createPost } from "../testing/rows.ts";
import { runErase, runRevoke } from "../testing/tasks.ts";
import { erasePerson } from "./erasePerson.ts";
import { exportPerson } from "./exportPerson.ts";
import { isSignedExport, publicKeyOf } from "./exportSignature.ts";
import { PERSON_TABLES, TABLES_WITHOUT_PERSONS } from "./personTables.ts";
import { viewPerson } from "./readPerson.ts";

useApplication();

const SUBJECT = "canary-subject";
const POSTS = 620;
let actor: SessionActor;
let connection: Connection;

const subject = () => ({ clientSlug: "shop", tenantKey: application.scope.tenantKey, externalSubjectId: SUBJECT });
const scope = () => ({ ...subject(), application: { id: application.id, slug: "shop" } });

beforeAll(async () => {
  actor = sessionOf(service, await createAdminMember(service));
  const profile = {
    ...{ displayName: "canary-name", handle: "canary-handle", description: "canary-description" },
    ...{ avatarUrl: "https://p.example/canary-picture", profileUrl: "https://p.example/canary-page" },
    profileObservedAt: service.clock.current,
  };
  connection = await connect({
    ...{ externalSubjectId: SUBJECT, accountId: "canary-account", providerUserKey: "canary-user" },
    data: profile,
  });
  await connect({ externalSubjectId: "other", accountId: "other-account" });
  await service.prisma.contentItem.createMany({
    data: Array.from({ length: POSTS }, (_, index) => ({
      ...{ id: newId(), applicationId: application.id, connectionId: connection.id, kind: "VIDEO" as const },
      ...{ providerContentId: `canary-post-${index}`, title: `canary-title-${index}`, metrics: [] },
      ...{ availability: "AVAILABLE" as const, observedAt: service.clock.current },
    })),
  });
  const attempt = { externalSubjectId: SUBJECT, connectionId: connection.id, status: "COMPLETED" } as const;
  await createConnectAttempt(service, application, registrations, attempt);
  const job = await createJob(service, connection, { targetContentId: "canary-post-1" });
  const { applicationId, tenantKey, provider } = connection;
  const accounts = ["canary-account", "other-account"];
  await service.prisma.tester.createMany({
    data: accounts.map((providerAccountId) => ({ applicationId, provider, providerAccountId })),
  });
  const now = service.clock.current;
  const settling = {
    applicationId,
    tenantKey,
    externalSubjectId: SUBJECT,
    provider: "PROVIDER_B",
    createdAt: now,
  } as const;
  await service.prisma.revokeSettlement.create({ data: { ...settling, revokeJobId: newId() } });
  const event = { ...{ applicationId, tenantKey, externalSubjectId: SUBJECT }, occurredAt: now };
  await service.prisma.event.createMany({
    data: [
      { ...event, id: newId(), type: "connection.suspended", connectionId: connection.id },
      { ...event, id: newId(), type: "connect.denied" },
      { ...event, id: newId(), type: "connect.denied", externalSubjectId: "other" },
    ],
  });
  await createImportLine(service, connection);
  const unfinished = [{ id: connection.id, applicationId }];
  await service.prisma.dataDeletion.create({
    data: { id: newId(), codeHash: Buffer.from("code"), provider, unfinished, requestedAt: now },
  });
  const target = { targetType: "JOB", targetId: job.id } as const;
  const entry = { id: newId(), at: now, actor: actor.email, action: "Job retried", ...target };
  await service.prisma.auditEntry.create({ data: { ...entry, clientSlug: "shop", summary: "Retried." } });
});

interface Exported {
  readonly about: { readonly isStored: boolean; readonly summary: string };
  readonly tables: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string }[];
    readonly excluded: readonly { readonly name: string; readonly reason: string }[];
    readonly rows: readonly Record<string, unknown>[];
  }[];
  readonly receipts: readonly { readonly connectionId: string; readonly erase: object; readonly revoke: object }[];
  readonly signature: { readonly publicKey: string; readonly signature: string; readonly keyId: string };
}

async function exported(): Promise<{ readonly text: string; readonly document: Exported; readonly parts: number }> {
  const texts: string[] = [];
  for await (const part of (await exportPerson(service, actor, scope(), "ticket 1")).parts) texts.push(part);
  const text = texts.join("");
  return { text, document: JSON.parse(text), parts: texts.length };
}

const rowsOf = (document: Exported, name: string) => document.tables.find((table) => table.name === name)?.rows ?? [];

const isValid = (text: string, publicKey: string) => isSignedExport(partsOf(Buffer.from(text)), [publicKey]);

async function* partsOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

test("every column of the database is exported, excluded with a reason, or in a table without persons", async () => {
  const { rows } = await service.pool.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text ORDER BY 1) AS columns
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY 1`,
  );
  const classified = new Map(
    PERSON_TABLES.map(({ name, fields, excluded }) => [
      name as string,
      [...Object.values(fields), excluded].flatMap((columns) => Object.keys(columns)).toSorted(),
    ]),
  );
  const others = Object.keys(TABLES_WITHOUT_PERSONS);
  expect(rows.map(({ table }) => table).toSorted()).toEqual([...classified.keys(), ...others].toSorted());
  for (const { table, columns } of rows.filter(({ table }) => classified.has(table)))
    expect([table, classified.get(table)]).toEqual([table, columns.toSorted()]);
});

test("an export has each value that the database has of the person, and of no other user", async () => {
  const { document, text, parts } = await exported();
  const own = { connection_id: connection.id, external_subject_id: SUBJECT, provider_account_id: "canary-account" };
  for (const { name, fields, excluded } of PERSON_TABLES) {
    if (name === "audit_entry" || name === "data_deletion") continue;
    const { rows } = await service.pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    const isOwn = (row: Record<string, unknown>) =>
      Object.entries(own).some(([column, value]) => row[column] === value);
    const expected = rows.filter(isOwn).map((row) => {
      const shown = Object.entries(row).filter(([column]) => !(column in excluded));
      return JSON.stringify(Object.fromEntries(shown.map(([column, value]) => [column, value]).toSorted()));
    });
    const given = rowsOf(document, name).map(({ stored_until: _, ...row }) => {
      const capabilities = row["capabilities"];
      const shown = Array.isArray(capabilities) ? { ...row, capabilities: `{${capabilities.join(",")}}` } : row;
      return JSON.stringify(Object.fromEntries(Object.entries(shown).toSorted()));
    });
    expect([name, given.toSorted()]).toEqual([name, expected.toSorted()]);
    expect([name, given.length > 0]).toEqual([name, true]);
    expect(Object.values(fields).length).toBeGreaterThan(0);
  }
  expect(rowsOf(document, "content_item")).toHaveLength(POSTS);
  expect(rowsOf(document, "data_deletion")).toHaveLength(1);
  expect(
    rowsOf(document, "audit_entry")
      .map(({ action }) => action)
      .toSorted(),
  ).toEqual(["Job retried", "Person exported"]);
  expect(document.about.isStored).toBe(true);
  // More than one part of posts: the text is never complete in memory.
  expect(parts).toBeGreaterThan(PERSON_TABLES.length + 2);
  const grant = await service.prisma.grant.findFirstOrThrow({ where: { connectionId: connection.id } });
  for (const secret of [grant.accessTokenSealed, grant.refreshTokenSealed, "other-account", actor.email])
    expect(text).not.toContain(secret);
});

test("an export is signed: a changed file, a foreign key and another deployment's signature are detected", async () => {
  const { text, document } = await exported();
  const publicKey = publicKeyOf(service.secretBox);
  expect(document.signature).toMatchObject({ publicKey, keyId: service.secretBox.keyIds[0] });
  expect(await isValid(text, publicKey)).toBe(true);
  expect(await isValid(text.replace("canary-title-7", "canary-title-8"), publicKey)).toBe(false);
  expect(await isValid(text.replace(/\n.*\n$/, "\n"), publicKey)).toBe(false);
  expect(await isValid(text, publicKeyOf({ derive: () => "07".repeat(32) }))).toBe(false);
});

test("a page of a person has counts and times, and one entry in the audit log for its visits", async () => {
  const entries = { action: "Person viewed", actor: actor.email };
  const person = await viewPerson(service, actor, subject());
  await viewPerson(service, actor, subject());
  expect(await service.prisma.auditEntry.count({ where: entries })).toBe(1);
  const profileFields = ["displayName", "handle", "avatarUrl", "profileUrl", "description"];
  expect(person).toMatchObject({ isStored: true, connections: [{ id: connection.id, posts: POSTS, profileFields }] });
  const counts = Object.fromEntries(person.records.map(({ table, rows }) => [table.name, rows]));
  expect(counts).toMatchObject({
    connection: 1,
    content_item: POSTS,
    provider_grant: 1,
    connect_attempt: 1,
    tester: 1,
  });
  expect(await viewPerson(service, actor, { ...subject(), externalSubjectId: "nobody" })).toMatchObject({
    ...{ isStored: false, connections: [], records: [{ rows: 1, table: { name: "audit_entry" } }], receipts: [] },
  });
  service.clock.advance(15 * 60_000);
  await viewPerson(service, actor, subject());
  expect(await service.prisma.auditEntry.count({ where: entries })).toBe(3);
});

test("after an erasure the database has no trace of the person, the receipts count, and an export states it", async () => {
  const grant = await service.prisma.grant.findFirstOrThrow({ where: { connectionId: connection.id } });
  const traces = ["canary", grant.accessTokenSealed, grant.refreshTokenSealed ?? ""].flatMap(encodingsOf);
  const hits = async () =>
    (await dumpDatabase(service.pool)).filter((line) => traces.some((trace) => line.includes(trace)));
  expect((await hits()).length).toBeGreaterThan(POSTS);
  await service.prisma.revokeSettlement.deleteMany();

  const erasure = await erasePerson(service, actor, { ...subject(), reason: "ticket 2" });
  expect(erasure).toMatchObject({ deleted: { connect_attempt: 1, tester: 1 }, failed: 0 });
  const stored = await service.prisma.connection.findFirstOrThrow({ where: { id: connection.id } });
  await runRevoke(service, stored.revokeJobId ?? "");
  await runErase(service, stored.eraseJobId ?? "");
  await service.prisma.dataDeletion.deleteMany();

  expect(await hits()).toEqual([]);
  expect(await service.prisma.event.count()).toBe(1);
  expect(await service.prisma.tester.count({ where: { providerAccountId: "other-account" } })).toBe(1);
  const person = await viewPerson(service, actor, subject());
  expect(person).toMatchObject({ isStored: false, connections: [] });
  const receipt = {
    connectionId: connection.id,
    revoke: { status: "SUCCEEDED" },
    erase: {
      status: "SUCCEEDED",
      deletedCounts: { connection: 1, content_item: POSTS, provider_grant: 1, job: 1, event: 1 },
    },
  };
  expect(person.receipts).toMatchObject([receipt]);
  const { text, document } = await exported();
  expect(document.about).toMatchObject({ isStored: false, summary: expect.stringContaining("Nothing is stored") });
  expect(document.receipts).toMatchObject([receipt]);
  expect(await isValid(text, publicKeyOf(service.secretBox))).toBe(true);
  for (const name of ["connection", "content_item", "provider_grant", "connect_attempt", "tester"])
    expect([name, rowsOf(document, name)]).toEqual([name, []]);
  const audits = rowsOf(document, "audit_entry").map(({ action }) => action);
  expect(audits).toEqual(expect.arrayContaining(["Erasure requested", "Person exported", "Person viewed"]));
  const requested = { action: "Erasure requested", actor: actor.email, summary: { contains: "ticket 2" } };
  expect(await service.prisma.auditEntry.count({ where: requested })).toBe(1);
});

test("a tester's account that another user has linked as well remains in the list", async () => {
  const shared = { accountId: "shared-account" };
  await connect({ ...shared, externalSubjectId: "first" });
  const second = await connect({ ...shared, externalSubjectId: "second" });
  const { applicationId, provider, providerAccountId } = second;
  await service.prisma.tester.create({ data: { applicationId, provider, providerAccountId } });
  const erase = (externalSubjectId: string) =>
    erasePerson(service, actor, { ...subject(), externalSubjectId, reason: "ticket 3" });
  expect((await erase("first")).deleted).toMatchObject({ tester: 0 });
  await disconnect(service, { ...application, scope: second }, second);
  await service.prisma.connection.deleteMany({ where: { externalSubjectId: "first" } });
  expect((await erase("second")).deleted).toMatchObject({ tester: 1 });
});

test("other users' posts are not in an export", async () => {
  const other = await connect({ externalSubjectId: "writer", accountId: "writer" });
  await createPost(service, other, { title: "not theirs" });
  expect((await exported()).text).not.toContain("not theirs");
});
