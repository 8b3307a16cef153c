import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { disconnectConnection } from "../disconnect/disconnectConnection.ts";
import type { TestApplication } from "../testing/builders.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { createConnection } from "../testing/connections.ts";
import type { TestService } from "../testing/testService.ts";
import { startTestService } from "../testing/testService.ts";
import { listConnections } from "./listConnections.ts";
import { subjectLock } from "./locks.ts";
import { readConnection } from "./readConnection.ts";

const DAY_MS = 86_400_000;
let service: TestService;
let application: TestApplication;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;

beforeAll(async () => {
  service = await startTestService();
  registrations = await createRegistrations(service);
  application = await createApplication(service);
});
afterAll(() => service.close());

let subjects = 0;
function newScope() {
  return { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` };
}

async function connectionOf(scope = newScope(), options: Parameters<typeof createConnection>[3] = {}): Promise<string> {
  const { externalSubjectId } = scope;
  const data = { displayName: "Account 1", profileObservedAt: service.clock.current, ...options.data };
  return (await createConnection(service, application, registrations, { externalSubjectId, ...options, data })).id;
}

const everything = { first: null, after: null };

describe("reading a connection", () => {
  test("shows the profile while it is under 30 days old", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    expect((await readConnection(service, application.caller, scope, id)).profile?.displayName).toBe("Account 1");
    await service.prisma.connection.update({
      where: { id },
      data: { profileObservedAt: new Date(service.clock.current.getTime() - 30 * DAY_MS) },
    });
    expect((await readConnection(service, application.caller, scope, id)).profile).toBeNull();
  });

  test.each([
    ["the registration is paused", "AUTHORIZATION_SUSPENDED", "SUSPENDED", () => setRegistration("PAUSED")],
    ["the registration is disabled", "CAPABILITY_UNAVAILABLE", "SUSPENDED", () => setRegistration("DISABLED")],
    ["the grant is revoked", "RECONNECT_REQUIRED", "RECONNECT_REQUIRED", (id: string) => setGrant(id, "GONE")],
  ] as const)("fails when %s, and the list shows the new status", async (_, code, listed, change) => {
    const scope = newScope();
    const id = await connectionOf(scope);
    await change(id);
    await expect(readConnection(service, application.caller, scope, id)).rejects.toMatchObject({ code });
    const { items } = await listConnections(service, application.caller, scope, everything);
    await Promise.all([setRegistration("PUBLISHED"), setGrant(id, "ACTIVE")]);
    expect(items).toMatchObject([{ id, status: listed, syncStatus: "STALE", profile: null }]);
    expect(
      items[0]?.capabilities.every(({ availability, reason }) => availability === "UNAVAILABLE" && reason === code),
    ).toBe(true);
    expect((await readConnection(service, application.caller, scope, id)).status).toBe("CONNECTED");
  });

  test("paginates a subject's connections and rejects the cursor in another query", async () => {
    const scope = newScope();
    for (const accountId of ["1", "2", "3"]) {
      service.clock.advance(1_000);
      await connectionOf(scope, { accountId });
    }
    const first = await listConnections(service, application.caller, scope, { first: 2, after: null });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = await listConnections(service, application.caller, scope, {
      first: 2,
      after: first.pageInfo.endCursor,
    });
    expect([...first.items, ...second.items].map(({ providerAccountId }) => providerAccountId)).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const foreign = listConnections(service, application.caller, newScope(), {
      first: 2,
      after: first.pageInfo.endCursor,
    });
    await expect(foreign).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  });
});

async function setRegistration(status: "PAUSED" | "PUBLISHED" | "DISABLED"): Promise<void> {
  await service.prisma.providerRegistration.update({ where: { id: registrations.PROVIDER_A }, data: { status } });
}

async function setGrant(connectionId: string, status: "ACTIVE" | "GONE"): Promise<void> {
  await service.prisma.grant.update({ where: { connectionId }, data: { status } });
}

describe("disconnecting a connection", () => {
  const disconnect = (scope: ReturnType<typeof newScope>, id: string) =>
    disconnectConnection(service, application.caller, scope, id);

  test("stops access immediately and returns the same two jobs to fifty parallel callers", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    const results = await Promise.all(Array.from({ length: 50 }, () => disconnect(scope, id)));
    expect(new Set(results.map(({ revokeJobId }) => revokeJobId)).size).toBe(1);
    expect(new Set(results.map(({ eraseJobId }) => eraseJobId)).size).toBe(1);
    expect(results[0]).toMatchObject({
      accepted: true,
      connectionId: id,
      upstreamRevocationPending: true,
      creatorAction: null,
    });
    expect(await service.prisma.job.count({ where: { connectionId: id } })).toBe(2);
    expect((await readConnection(service, application.caller, scope, id)).status).toBe("DISCONNECTED");
  });

  test("suspends only the siblings of the same scope and of the same user", async () => {
    const scope = newScope();
    const ended = await connectionOf(scope, { providerUserKey: "person" });
    const [sameScope, samePerson, stranger, otherProvider] = await Promise.all([
      connectionOf(scope, { accountId: "2" }),
      connectionOf(newScope(), { accountId: "3", providerUserKey: "person" }),
      connectionOf(newScope(), { accountId: "2" }),
      connectionOf(scope, { provider: "PROVIDER_B" }),
    ]);
    await disconnect(scope, ended);
    const statuses = await service.prisma.connection.findMany({
      where: { id: { in: [sameScope, samePerson, stranger, otherProvider] } },
      select: { id: true, status: true },
    });
    const suspended = statuses.filter(({ status }) => status === "SUSPENDED").map(({ id }) => id);
    expect(suspended.sort()).toEqual([sameScope, samePerson].sort());
  });

  test("returns creatorAction immediately without a revoke API, unless the app was already removed", async () => {
    const scope = newScope();
    const id = await connectionOf(scope, { provider: "PROVIDER_C" });
    const removed = await connectionOf(scope, {
      provider: "PROVIDER_C",
      accountId: "2",
      data: { appRemovedAt: service.clock.current },
    });
    const result = await disconnect(scope, id);
    expect(result).toMatchObject({ creatorAction: "REMOVE_APP_AT_PROVIDER", upstreamRevocationPending: true });
    const revoke = await service.prisma.job.findUniqueOrThrow({ where: { id: result.revokeJobId } });
    expect(revoke).toMatchObject({ status: "FAILED", errorCode: "REVOKE_UNSUPPORTED" });
    expect(await disconnect(scope, removed)).toMatchObject({ creatorAction: null, upstreamRevocationPending: false });
  });

  test("returns the result of a concurrent disconnect after the lock times out", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    const { revokeJobId, eraseJobId } = await disconnect(scope, id);
    const setStatus = (status: "CONNECTED" | "DISCONNECTED") =>
      service.prisma.connection.update({ where: { id }, data: { status } });
    await setStatus("CONNECTED");
    const holder = await service.pool.connect();
    await holder.query("BEGIN");
    const lock = JSON.stringify(subjectLock(application.id, "PROVIDER_A", scope));
    await holder.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
    // The call has read status CONNECTED, and does not have the lock yet.
    const now = () => setStatus("DISCONNECTED").then(() => service.clock.now());
    const clock = { now, unmoved: now };
    const answer = await disconnectConnection({ ...service, clock }, application.caller, scope, id);
    await holder.query("ROLLBACK");
    holder.release();
    expect(answer).toMatchObject({ accepted: true, revokeJobId, eraseJobId });
  });

  test("returns RATE_LIMITED and changes nothing while others connect accounts of the subject", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    const client = await service.pool.connect();
    try {
      await client.query("BEGIN");
      const lock = JSON.stringify(subjectLock(application.id, "PROVIDER_A", scope));
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
      await expect(disconnect(scope, id)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 });
      expect((await readConnection(service, application.caller, scope, id)).status).toBe("CONNECTED");
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    expect(await disconnect(scope, id)).toMatchObject({ accepted: true });
  });

  test("returns NOT_FOUND for an unknown, foreign or erased connection", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    await expect(disconnect(newScope(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(disconnect({ ...scope, tenantKey: "unregistered" }, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await service.prisma.connection.delete({ where: { id } });
    await expect(disconnect(scope, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
