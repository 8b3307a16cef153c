import type { SubjectScope } from "@social-connect/domain";
import { describe, expect, test } from "vitest";
import { disconnectConnection } from "../disconnect/disconnectConnection.ts";
import type { ConnectionOptions } from "../testing/connections.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { whileLocked } from "../testing/outcomes.ts";
import { listConnections } from "./listConnections.ts";
import { subjectLock } from "./locks.ts";
import { readConnection } from "./readConnection.ts";

useApplication();

const DAY_MS = 86_400_000;

let subjects = 0;
function newScope() {
  return { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` };
}

async function connectionOf({ externalSubjectId } = newScope(), options: ConnectionOptions = {}): Promise<string> {
  const data = { displayName: "Account 1", profileObservedAt: service.clock.current, ...options.data };
  return (await connect({ externalSubjectId, ...options, data })).id;
}

const read = (scope: SubjectScope, id: string) => readConnection(service, application.caller, scope, id);
const list = (scope: SubjectScope, first: number | null = null, after: string | null = null) =>
  listConnections(service, application.caller, scope, { first, after });

/** Runs a call while another transaction connects or disconnects accounts of the subject. */
function whileSubjectLocked<T>(scope: SubjectScope, call: () => Promise<T>): Promise<T> {
  const lock = JSON.stringify(subjectLock(application.id, "PROVIDER_A", scope));
  return whileLocked(service, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [lock], call);
}

describe("reading a connection", () => {
  test("shows the profile while it is under 30 days old", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    expect((await read(scope, id)).profile?.displayName).toBe("Account 1");
    const profileObservedAt = service.clock.fromNow(-30 * DAY_MS);
    await service.prisma.connection.updateMany({ where: { id }, data: { profileObservedAt } });
    expect((await read(scope, id)).profile).toBeNull();
  });

  test.each([
    ["the registration is paused", "AUTHORIZATION_SUSPENDED", "SUSPENDED", () => setRegistration("PAUSED")],
    ["the registration is disabled", "CAPABILITY_UNAVAILABLE", "SUSPENDED", () => setRegistration("DISABLED")],
    ["the grant is revoked", "RECONNECT_REQUIRED", "RECONNECT_REQUIRED", (id: string) => setGrant(id, "GONE")],
  ] as const)("fails when %s, and the list shows the new status", async (_, code, listed, change) => {
    const scope = newScope();
    const id = await connectionOf(scope);
    await change(id);
    await expect(read(scope, id)).rejects.toMatchObject({ code });
    const { items } = await list(scope);
    await Promise.all([setRegistration("PUBLISHED"), setGrant(id, "ACTIVE")]);
    expect(items).toMatchObject([{ id, status: listed, syncStatus: "STALE", profile: null }]);
    expect(
      items[0]?.capabilities.every(({ availability, reason }) => availability === "UNAVAILABLE" && reason === code),
    ).toBe(true);
    expect((await read(scope, id)).status).toBe("CONNECTED");
  });

  test("paginates a subject's connections and rejects the cursor in another query", async () => {
    const scope = newScope();
    for (const accountId of ["1", "2", "3"]) {
      service.clock.advance(1_000);
      await connectionOf(scope, { accountId });
    }
    const first = await list(scope, 2);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const { endCursor } = first.pageInfo;
    const second = await list(scope, 2, endCursor);
    const listed = [...first.items, ...second.items].map(({ providerAccountId }) => providerAccountId);
    expect(listed).toEqual(["1", "2", "3"]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    await expect(list(newScope(), 2, endCursor)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  });
});

async function setRegistration(status: "PAUSED" | "PUBLISHED" | "DISABLED"): Promise<void> {
  await service.prisma.providerRegistration.update({ where: { id: registrations.PROVIDER_A }, data: { status } });
}

async function setGrant(connectionId: string, status: "ACTIVE" | "GONE"): Promise<void> {
  await service.prisma.grant.updateMany({ where: { connectionId }, data: { status } });
}

describe("disconnecting a connection", () => {
  const disconnect = (scope: SubjectScope, id: string) => disconnectConnection(service, application.caller, scope, id);

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
    expect((await read(scope, id)).status).toBe("DISCONNECTED");
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
    const revoke = await service.prisma.job.findFirstOrThrow({ where: { id: result.revokeJobId } });
    expect(revoke).toMatchObject({ status: "FAILED", errorCode: "REVOKE_UNSUPPORTED" });
    expect(await disconnect(scope, removed)).toMatchObject({ creatorAction: null, upstreamRevocationPending: false });
  });

  test("returns the result of a concurrent disconnect after the lock times out", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    const { revokeJobId, eraseJobId } = await disconnect(scope, id);
    const setStatus = (status: "CONNECTED" | "DISCONNECTED") =>
      service.prisma.connection.updateMany({ where: { id }, data: { status } });
    await setStatus("CONNECTED");
    // The call has read status CONNECTED, and does not have the lock yet.
    const now = () => setStatus("DISCONNECTED").then(() => service.clock.now());
    const clock = { now, unmoved: now, after: () => () => undefined };
    const late = () => disconnectConnection({ ...service, clock }, application.caller, scope, id);
    expect(await whileSubjectLocked(scope, late)).toMatchObject({ accepted: true, revokeJobId, eraseJobId });
  });

  test("returns RATE_LIMITED and changes nothing while others connect accounts of the subject", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    await whileSubjectLocked(scope, async () => {
      await expect(disconnect(scope, id)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 1 });
      expect((await read(scope, id)).status).toBe("CONNECTED");
    });
    expect(await disconnect(scope, id)).toMatchObject({ accepted: true });
  });

  test("returns NOT_FOUND for an unknown, foreign or erased connection", async () => {
    const scope = newScope();
    const id = await connectionOf(scope);
    await expect(disconnect(newScope(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(disconnect({ ...scope, tenantKey: "unregistered" }, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await service.prisma.connection.deleteMany({ where: { id } });
    await expect(disconnect(scope, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
