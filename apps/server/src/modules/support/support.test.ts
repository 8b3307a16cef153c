import { beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { SessionActor } from "../admin/actor.ts";
import { createAdminMember, createApiKey, sessionOf } from "../testing/admins.ts";
import { application, connect, registrations, service, useApplicationPerTest } from "../testing/fixtures.ts";
import { allPages } from "../testing/outcomes.ts";
import { createConnectAttempt, createJob, createPost } from "../testing/rows.ts";
import { findByReference } from "./findByReference.ts";
import { searchConnectAttempts, searchConnections } from "./searchConnections.ts";
import { disconnectForUser, rescanConnection, retryJob } from "./supportActions.ts";
import { viewConnection } from "./viewConnection.ts";

useApplicationPerTest();

let actor: SessionActor;
let clientSlug: string;

beforeEach(async () => {
  actor = sessionOf(service, await createAdminMember(service));
  const where = { id: application.id };
  clientSlug = (await service.prisma.application.findUniqueOrThrow({ where })).slug;
  await service.prisma.auditEntry.deleteMany();
});

const scope = () => ({ clientSlug, ...application.scope });
const view = ({ id }: Pick<Connection, "id">, reason = "ticket 1") => viewConnection(service, actor, { id, reason });

async function audited() {
  return service.prisma.auditEntry.findMany({ select: { action: true, actor: true, targetId: true, summary: true } });
}

describe("search", () => {
  test("finds the connections of a subject by pages, newest first, and no other's", async () => {
    const expected: string[] = [];
    for (const provider of ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const) {
      expected.unshift((await connect({ provider })).id);
      service.clock.advance(1);
    }
    await connect({ externalSubjectId: "somebody else", accountId: "other" });
    for (const first of [1, 2, 50]) {
      const found = await allPages((after) => searchConnections(service, actor, scope(), { first, after }));
      expect(found.map(({ id }) => id)).toEqual(expected);
    }
    const [shown] = (await searchConnections(service, actor, scope(), { first: 1, after: null })).items;
    expect(shown).toMatchObject({ application: { slug: clientSlug } });
    expect(JSON.stringify(shown)).not.toMatch(/account/);
  });

  test("records who searched, and for which client, and not the text that was searched for", async () => {
    const { id } = await connect();
    const page = { first: null, after: null };
    await searchConnections(service, actor, { ...scope(), externalSubjectId: "secret-user" }, page);
    await searchConnectAttempts(service, actor, { ...scope(), tenantKey: "secret-tenant" }, page);
    await findByReference(service, actor, id);
    // Nothing is found, so nothing about a client is shown.
    await findByReference(service, actor, newId());
    await findByReference(service, actor, "secret-user");
    const entries = await service.prisma.auditEntry.findMany({ orderBy: { id: "asc" } });
    const entry = { action: "Connections searched", actor: actor.email, targetType: "CLIENT", clientSlug };
    expect(entries).toMatchObject([
      { ...entry, targetId: application.id, summary: "Searched for the connections of a user." },
      { ...entry, targetId: application.id, summary: "Searched for the connect attempts of a user." },
      { ...entry, targetId: application.id, summary: "Looked up an id." },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`secret|${id}|${application.scope.externalSubjectId}`));
  });

  test("reads nothing if the audit entry cannot be stored", async () => {
    await connect();
    const reads: string[] = [];
    const prisma = new Proxy(service.prisma, {
      get(target, name) {
        if (name === "connection") reads.push(String(name));
        if (name === "auditEntry") throw new Error("no audit log");
        return Reflect.get(target, name, target);
      },
    });
    const found = searchConnections({ ...service, prisma }, actor, scope(), { first: null, after: null });
    await expect(found).rejects.toThrow("no audit log");
    expect(reads).toEqual([]);
  });

  test("takes the client's only tenant, and asks for one of several", async () => {
    const { id } = await connect();
    const page = { first: null, after: null };
    const search = (tenantKey: string | null) => searchConnections(service, actor, { ...scope(), tenantKey }, page);
    await expect(search(null)).rejects.toMatchObject({ field: "tenantKey" });
    const tenantKeys = [application.scope.tenantKey];
    await service.prisma.application.update({ where: { id: application.id }, data: { tenantKeys } });
    expect((await search(null)).items).toMatchObject([{ id }]);
    expect((await search("unknown")).items).toEqual([]);
    const unknown = searchConnections(service, actor, { ...scope(), clientSlug: "nobody" }, page);
    await expect(unknown).rejects.toMatchObject({ field: "clientSlug" });
  });

  test("finds failed connect attempts with the message for the user, until their results expire", async () => {
    const connection = await connect();
    const create = (data: object) => createConnectAttempt(service, application, registrations, data);
    const failed = await create({ status: "FAILED", resultCode: "NOT_A_TESTER" });
    service.clock.advance(1);
    const mismatch = { status: "FAILED", resultCode: "ACCOUNT_MISMATCH", reconnectConnectionId: connection.id };
    const reconnect = await create(mismatch);
    const page = { first: null, after: null };
    expect((await searchConnectAttempts(service, actor, scope(), page)).items).toMatchObject([
      { id: reconnect.id, resultCode: "ACCOUNT_MISMATCH", connectionId: connection.id, accountHint: "…nt-1" },
      { id: failed.id, resultCode: "NOT_A_TESTER", clientId: application.id, connectionId: null, accountHint: null },
    ]);
    const found = await findByReference(service, actor, failed.id);
    expect(found.attempts).toMatchObject([{ id: failed.id, nextStep: expect.stringContaining("testers") }]);
    service.clock.advance(24 * 3_600_000);
    expect((await searchConnectAttempts(service, actor, scope(), page)).items).toEqual([]);
  });

  test("finds a connection by its own id, and by those of its attempt, job and request, or how they begin", async () => {
    const { id, ...connection } = await connect();
    const correlationId = newId();
    const job = await createJob(service, { id, ...connection }, { correlationId });
    const completed = { status: "COMPLETED", connectionId: id } as const;
    const attempt = await createConnectAttempt(service, application, registrations, completed);
    const ids = [id, id.toUpperCase(), job.id, correlationId, attempt.id];
    for (const reference of [...ids, ...ids.map((one) => one.slice(0, 30)), ` ${attempt.id} `])
      expect((await findByReference(service, actor, reference)).connections).toMatchObject([
        { id, application: { slug: clientSlug } },
      ]);
    expect((await findByReference(service, actor, attempt.id.slice(0, 30))).attempts).toMatchObject([
      { id: attempt.id },
    ]);
    const nothing = { connections: [], erased: [], attempts: [], apiKeys: [], applicationKeys: [] };
    for (const reference of [newId(), newId().slice(-8), id.slice(0, 7), "", "42"])
      expect(await findByReference(service, actor, reference)).toEqual(nothing);
  });

  test("finds keys of admins and applications, which shows nothing of a user", async () => {
    const own = await createApiKey(service, await createAdminMember(service), "READ");
    const { id } = await service.prisma.applicationKey.findFirstOrThrow({ where: { applicationId: application.id } });
    await service.prisma.applicationKey.update({ where: { id }, data: { revokedAt: service.clock.current } });
    const none = { connections: [], erased: [], attempts: [] };
    for (const length of [36, 13]) {
      const found = await findByReference(service, actor, own.id.slice(0, length));
      expect(found).toMatchObject({ ...none, apiKeys: [{ id: own.id }], applicationKeys: [] });
      const other = await findByReference(service, actor, id.slice(0, length));
      const applicationKeys = [{ id, clientId: application.id, clientSlug }];
      expect(other).toEqual({ ...none, apiKeys: [], applicationKeys });
    }
    expect(await audited()).toEqual([]);
  });
});

describe("opening a connection", () => {
  test("shows states, times and counts, and records the admin and the reason", async () => {
    const lastSuccessfulSyncAt = service.clock.current;
    const names = { displayName: "Secret Name", handle: "secret-handle", description: "secret text" };
    const connection = await connect({ data: { ...names, syncStatus: "READY", lastSuccessfulSyncAt } });
    await createJob(service, connection, { itemsObserved: 1 });
    await createPost(service, connection, { title: "secret title", description: "secret text" });
    const shown = await view(connection);
    expect(shown.explanation).toMatchObject({ cause: "UP_TO_DATE", since: lastSuccessfulSyncAt });
    expect(shown.posts).toEqual({ AVAILABLE: 1 });
    expect(shown.timeline.map(({ type, count }) => [type, count])).toEqual([
      ["JOB", 1],
      ["LINKED", null],
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/[Ss]ecret|access-1|refresh-1|[Ss]ealed/);
    const summary = "Viewed the connection at PROVIDER_A · YouTube Data API v3: ticket 1";
    expect(await audited()).toEqual([
      { action: "Connection viewed", actor: actor.email, targetId: connection.id, summary },
    ]);
  });

  test("needs a connection, and records nothing without", async () => {
    for (const id of [newId(), "x"]) await expect(view({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await audited()).toEqual([]);
  });

  test("judges the grant and the registration as a read does", async () => {
    const connection = await connect({ tokens: { refreshTokenExpiresAt: service.clock.current } });
    expect((await view(connection)).explanation.cause).toBe("CONSENT_EXPIRED");
    const where = { id: registrations.PROVIDER_A };
    await service.prisma.providerRegistration.update({ where, data: { status: "PAUSED" } });
    const paused = await view(connection);
    expect(paused.explanation.cause).toBe("REGISTRATION_PAUSED");
    expect(paused.capabilities).toContainEqual({
      capability: "CONTENT_LIST",
      availability: "UNAVAILABLE",
      reason: "AUTHORIZATION_SUSPENDED",
    });
    await service.prisma.providerRegistration.update({ where, data: { status: "PUBLISHED" } });
  });

  test("states that the client has no active key", async () => {
    const connection = await connect();
    const keys = { applicationId: application.id };
    const causeWith = async (data: { expiresAt?: Date | null; revokedAt?: Date | null }) => {
      await service.prisma.applicationKey.updateMany({ where: keys, data });
      return (await view(connection)).explanation.cause;
    };
    const now = service.clock.current;
    expect(await causeWith({ revokedAt: now })).toBe("CLIENT_WITHOUT_KEY");
    expect(await causeWith({ revokedAt: null, expiresAt: now })).toBe("CLIENT_WITHOUT_KEY");
    expect(await causeWith({ expiresAt: null })).not.toBe("CLIENT_WITHOUT_KEY");
  });

  test("shows the newest jobs of each kind, so that frequent ones hide no other", async () => {
    const connection = await connect();
    await createJob(service, connection, { kind: "PROFILE" });
    for (let count = 0; count < 12; count += 1) {
      service.clock.advance(1);
      await createJob(service, connection, { kind: "METRICS" });
    }
    const kinds = (await view(connection)).timeline.map(({ jobKind }) => jobKind);
    expect(kinds.filter((kind) => kind === "METRICS")).toHaveLength(10);
    expect(kinds).toContain("PROFILE");
  });

  test("shows the receipts of an erased connection", async () => {
    const connection = await connect();
    const deletedCounts = { content_item: 3, connection: 1 };
    await createJob(service, connection, { kind: "ERASE", deletedCounts });
    await createJob(service, connection, { kind: "REVOKE", status: "FAILED", errorCode: "REVOKE_REJECTED" });
    await service.prisma.connection.deleteMany({ where: { id: connection.id } });
    for (const reference of [connection.id, connection.id.slice(0, 30)]) {
      const { erased, connections } = await findByReference(service, actor, reference);
      expect({ erased, connections }).toMatchObject({ erased: [{ id: connection.id, clientSlug }], connections: [] });
    }
    const shown = await view(connection);
    expect(shown).toMatchObject({ connection: null, explanation: { cause: "ERASED" }, posts: {} });
    const receipts = shown.timeline.filter(({ type }) => type === "JOB");
    expect(receipts.map(({ jobKind, code, count }) => [jobKind, code, count]).toSorted()).toEqual([
      ["ERASE", null, 4],
      ["REVOKE", "REVOKE_REJECTED", null],
    ]);
  });
});

describe("actions", () => {
  test("a scan is started once, as work of the service", async () => {
    const { id } = await connect();
    const rescan = () => rescanConnection(service, actor, { id, reason: "ticket 2" });
    expect((await rescan()).explanation.cause).toBe("WAITING_FOR_WORKER");
    expect(await service.prisma.job.findMany({ where: { connectionId: id } })).toMatchObject([
      { kind: "SCAN", status: "QUEUED", background: true },
    ]);
    await expect(rescan()).rejects.toMatchObject({ code: "CONFLICT" });
    const summary = "Started a scan of the connection at PROVIDER_A · YouTube Data API v3: ticket 2";
    expect(await audited()).toMatchObject([{ action: "Connection rescanned", actor: actor.email, summary }]);
  });

  test("a waiting job runs now", async () => {
    const connection = await connect();
    const waiting = { status: "QUEUED", waitReason: "QUOTA", finishedAt: null } as const;
    const nextRetryAt = service.clock.fromNow(60_000);
    const { id } = await createJob(service, connection, { ...waiting, nextRetryAt });
    expect((await view(connection)).explanation).toMatchObject({
      cause: "QUOTA_USED_UP",
      jobId: id,
      nextTryAt: nextRetryAt,
    });
    const shown = await retryJob(service, actor, { id, reason: "ticket 3" });
    expect(shown).toMatchObject({ id: connection.id, explanation: { cause: "WAITING_FOR_WORKER", nextTryAt: null } });
    const retried = { action: "Job retried", targetId: id, summary: expect.stringContaining("ticket 3") };
    expect(await audited()).toContainEqual(expect.objectContaining(retried));
  });

  test("an account is disconnected once, with its audit entry in the same transaction", async () => {
    const { id } = await connect();
    const disconnect = () => disconnectForUser(service, actor, { id, reason: "asked by mail" });
    const shown = await disconnect();
    expect(shown).toMatchObject({ connection: { status: "DISCONNECTED" }, explanation: { cause: "DISCONNECTED" } });
    expect(shown.timeline.map(({ type, jobKind }) => jobKind ?? type)).toEqual(
      expect.arrayContaining(["REVOKE", "ERASE", "DISCONNECTED"]),
    );
    await expect(disconnect()).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await audited()).toMatchObject([{ action: "Connection disconnected", targetId: id, actor: actor.email }]);
  });

  test("a reason that names the user is refused, because the audit log outlives the user's data", async () => {
    const { id } = await connect({ externalSubjectId: "user-42" });
    const job = await createJob(service, { ...(await connect()), id }, { status: "QUEUED", nextRetryAt: null });
    const reason = "asked by User-42";
    const refused = { field: "reason", message: expect.stringContaining("user's id") };
    for (const act of [viewConnection, rescanConnection, disconnectForUser])
      await expect(act(service, actor, { id, reason })).rejects.toMatchObject(refused);
    await expect(retryJob(service, actor, { id: job.id, reason })).rejects.toMatchObject(refused);
    expect(await audited()).toEqual([]);
  });
});
