import type { SocialProvider } from "@social-connect/contract";
import { RENEWAL_LEASE_MS } from "@social-connect/domain";
import { beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { sealTokens } from "../grants/sealTokens.ts";
import { createApplication } from "../testing/builders.ts";
import * as calls from "../testing/calls.ts";
import { createConnection, postsOf, storedTokens } from "../testing/connections.ts";
import {
  application,
  connect,
  registrations,
  service,
  testNumber,
  useApplicationPerTest,
} from "../testing/fixtures.ts";
import { untilNotBusy } from "../testing/outcomes.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase, runProfileRead, runRecheck, runRevoke, runScan } from "../testing/tasks.ts";
import type { TestService } from "../testing/testService.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "./runRevoke.ts";

useApplicationPerTest();

const HOUR = 3_600_000;
const REJECTED = { status: "FAILED", errorCode: "REVOKE_REJECTED", creatorAction: "REMOVE_APP_AT_PROVIDER" };

beforeEach(() => {
  for (const fake of Object.values(service.fakes)) fake.posts = postsOf(25, service.clock.current);
});

test("revokes and erases with receipts, and leaves no data of the account in any table", async () => {
  const connection = await connectWithCanaries("PROVIDER_A");
  const { revokeJobId, eraseJobId } = await disconnect(connection);
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);

  const succeeded = { status: "SUCCEEDED", errorCode: null, creatorAction: null };
  expect(await receipt(connection, revokeJobId)).toMatchObject(succeeded);
  expect(await receipt(connection, eraseJobId)).toMatchObject({ status: "SUCCEEDED" });
  expect(await counts(eraseJobId)).toEqual({ content_item: 25, provider_grant: 1, job: 2, connection: 1 });
  expect(await tablesWith("canary")).toEqual([]);
  await expect(disconnect(connection)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("control: before the erasure the tables contain the canaries", async () => {
  await connectWithCanaries("PROVIDER_A");
  expect(await tablesWith("canary")).toEqual(["connection", "content_item"]);
  await service.prisma.connection.deleteMany({ where: { applicationId: application.id } });
});

test("deletes posts and profile immediately, and the credential after the revoke has settled", async () => {
  const connection = await connectWithCanaries("PROVIDER_A");
  const { revokeJobId, eraseJobId } = await disconnect(connection);
  service.fakes.PROVIDER_A.failNext("revoke", "unavailable", "unavailable");
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);

  expect(await service.prisma.contentItem.count({ where: { connectionId: connection.id } })).toBe(0);
  expect(await stored(connection)).toMatchObject({ status: "DELETING", displayName: null, profileObservedAt: null });
  expect(await service.prisma.grant.count({ where: { connectionId: connection.id } })).toBe(1);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "QUEUED" });

  await waitAndRun(connection, revokeJobId, runRevoke);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "QUEUED" });
  await waitAndRun(connection, revokeJobId, runRevoke);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
  // The end of the revoke enqueued the erasure.
  expect(service.enqueued.at(-1)).toMatchObject({ task: "erase", payload: { id: eraseJobId }, startAfter: null });
  await runErase(service, eraseJobId);
  expect(await stored(connection)).toBeNull();
  expect(await counts(eraseJobId)).toMatchObject({ content_item: 25, connection: 1 });
});

test("gives up a revoke after 24 hours, reports it in the receipt and deletes the credential", async () => {
  const connection = await connectWithCanaries("PROVIDER_A");
  const { revokeJobId, eraseJobId } = await disconnect(connection);
  const fake = service.fakes.PROVIDER_A;
  fake.before.set("revoke", async () => fake.failNext("revoke", "unavailable"));
  await runRevoke(service, revokeJobId);
  await runErase(service, eraseJobId);
  service.clock.advance(24 * HOUR);
  await runErase(service, eraseJobId);
  fake.before.clear();
  expect(await receipt(connection, revokeJobId)).toMatchObject(REJECTED);
  expect(await receipt(connection, eraseJobId)).toMatchObject({ status: "SUCCEEDED" });
  expect(await tablesWith("canary")).toEqual([]);
});

test("maps revoke responses: an already revoked grant succeeds, a rejection sets creatorAction", async () => {
  const dead = await connect({ accountId: "dead" });
  const refused = await connect({ accountId: "refused", externalSubjectId: "user-2" });
  service.fakes.PROVIDER_A.failNext("revoke", "grant_gone");
  const first = await disconnect(dead);
  await runRevoke(service, first.revokeJobId);
  expect(await receipt(dead, first.revokeJobId)).toMatchObject({ status: "SUCCEEDED" });

  service.fakes.PROVIDER_A.failNext("revoke", "rejected");
  const second = await disconnect(refused);
  await runRevoke(service, second.revokeJobId);
  expect(await receipt(refused, second.revokeJobId)).toMatchObject(REJECTED);
});

test("revokes the new token of a credential that a read renews during the revoke", async () => {
  const fake = service.fakes.PROVIDER_A;
  const connection = await connect({ accountId: "renewed" });
  const { id } = await service.prisma.grant.findFirstOrThrow({ where: { connectionId: connection.id } });
  const { revokeJobId, eraseJobId } = await disconnect(connection);
  const renewed = storedTokens({ accessToken: "access-2", refreshToken: "refresh-2" });
  fake.before.set("revoke", async () => {
    fake.before.delete("revoke");
    const data = { ...sealTokens(service.secretBox, id, renewed), version: { increment: 1 } };
    await service.prisma.grant.updateMany({ where: { id }, data });
    // The provider revoked the token that was sent; the renewed one is still valid.
    fake.failNext("revoke", "grant_gone");
  });
  await runRevoke(service, revokeJobId);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "QUEUED" });
  await waitAndRun(connection, revokeJobId, runRevoke);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
  expect(fake.detailsOf("revoke")).toEqual(["access-1", "access-2"]);
  await runErase(service, eraseJobId);
});

test("does not treat an invalid token as a revoked grant after an interrupted renewal", async () => {
  const fake = service.fakes.PROVIDER_A;
  const connection = await connect({ accountId: "interrupted" });
  await interruptRenewal(connection);
  const { revokeJobId } = await disconnect(connection);
  fake.failNext("revoke", "grant_gone");
  await runRevoke(service, revokeJobId);
  expect(await receipt(connection, revokeJobId)).toMatchObject(REJECTED);
});

test.each(["PROVIDER_A", "PROVIDER_B"] as const)(
  "does not treat an ended grant of %s as revoked after a refresh without an answer",
  async (provider) => {
    const fake = service.fakes[provider];
    const expired = { accessTokenExpiresAt: service.clock.fromNow(-1) };
    const connection = await connect({ provider, accountId: "unanswered", tokens: expired });
    fake.failNext("refreshTokens", "unavailable", "grant_gone");
    await calls.startInitialReads(service, connection);
    const { id } = await service.prisma.job.findFirstOrThrow({
      where: { connectionId: connection.id, kind: "PROFILE" },
    });
    await runProfileRead(service, id);
    const { revokeJobId } = await disconnect(connection);
    // Until then a token that rotates may be in use by a process that still waits for the answer.
    service.clock.advance(RENEWAL_LEASE_MS);
    fake.failNext("revoke", "grant_gone");
    await runRevoke(service, revokeJobId);
    expect(await receipt(connection, revokeJobId)).toMatchObject(REJECTED);
  },
);

test("issues the receipt immediately without a revoke API, and the erasure does not wait", async () => {
  const connection = await connectWithCanaries("PROVIDER_C");
  const result = await disconnect(connection);
  expect(result).toMatchObject({ creatorAction: "REMOVE_APP_AT_PROVIDER", upstreamRevocationPending: true });
  await runErase(service, result.eraseJobId);
  const unsupported = { status: "FAILED", errorCode: "REVOKE_UNSUPPORTED" };
  expect(await receipt(connection, result.revokeJobId)).toMatchObject(unsupported);
  expect(await stored(connection)).toBeNull();
});

test("renews an expired access token that the revoke needs, and sets creatorAction if renewal fails", async () => {
  const fake = service.fakes.PROVIDER_B;
  const expired = { provider: "PROVIDER_B", tokens: { accessTokenExpiresAt: service.clock.fromNow(-1) } } as const;
  const connection = await connect(expired);
  const { revokeJobId } = await disconnect(connection);
  await runRevoke(service, revokeJobId);
  expect(fake.detailsOf("revoke")).toEqual(["access-2"]);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "SUCCEEDED" });

  const cutOff = await connect({ ...expired, accountId: "interrupted", externalSubjectId: "user-2" });
  await interruptRenewal(cutOff);
  const second = await disconnect(cutOff);
  await runRevoke(service, second.revokeJobId);
  expect(fake.detailsOf("revoke")).toEqual(["access-2"]);
  expect(await receipt(cutOff, second.revokeJobId)).toMatchObject(REJECTED);
});

test("retries a revoke that succeeded with an access token that had expired by then", async () => {
  const fake = service.fakes.PROVIDER_B;
  const connection = await connect({
    provider: "PROVIDER_B",
    tokens: { accessTokenExpiresAt: service.clock.fromNow(600_000) },
  });
  const { revokeJobId } = await disconnect(connection);
  fake.before.set("revoke", async () => void service.clock.advance(600_000));
  await runRevoke(service, revokeJobId);
  fake.before.delete("revoke");
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "QUEUED" });
  await runRevoke(service, revokeJobId);
  expect(fake.detailsOf("revoke")).toEqual(["access-1", "access-2"]);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
});

test("suspends siblings until the revoke has settled and each was re-checked; then the scope may connect again", async () => {
  const connection = await connect();
  const alive = await connect({ accountId: "alive" });
  const ended = await connect({ accountId: "ended" });
  const { revokeJobId } = await disconnect(connection);
  expect((await stored(alive))?.status).toBe("SUSPENDED");
  expect(await settlements()).toBe(1);

  await runRevoke(service, revokeJobId);
  expect(await settlements()).toBe(1);
  const rechecks = await service.prisma.job.findMany({ where: { applicationId: application.id, kind: "RECHECK" } });
  expect(rechecks.map(({ connectionId }) => connectionId).sort()).toEqual([alive.id, ended.id].sort());

  const fake = service.fakes.PROVIDER_A;
  const original = fake.readAccount.bind(fake);
  fake.readAccount = async (session) => {
    if (session.providerAccountId === "ended") throw new ProviderError("grant_gone", "ended with its sibling");
    return { ...(await original(session)), providerAccountId: session.providerAccountId ?? "" };
  };
  try {
    await Promise.all(rechecks.map(({ id }) => runRecheck(service, id)));
  } finally {
    fake.readAccount = original;
  }
  expect(await stored(alive)).toMatchObject({ status: "CONNECTED", suspendedByJobId: null });
  expect(await stored(ended)).toMatchObject({ status: "RECONNECT_REQUIRED", suspendedByJobId: null });
  expect(await settlements()).toBe(0);
});

describe("two subjects that connected the same account", () => {
  test("disconnecting one suspends the other, even if the provider's user is unknown", async () => {
    const shared = { accountId: "shared", providerUserKey: null };
    const first = await connect(shared);
    const other = await connect({ ...shared, externalSubjectId: "user-2" });
    const unrelated = await connect({ accountId: "unrelated", externalSubjectId: "user-3" });
    const elsewhere = await createApplication(service, `elsewhere-${testNumber}`);
    const foreign = await createConnection(service, elsewhere, registrations, shared);
    const { revokeJobId } = await disconnect(first);
    expect(await stored(other)).toMatchObject({ status: "SUSPENDED", suspendedByJobId: revokeJobId });
    expect((await stored(unrelated))?.status).toBe("CONNECTED");
    expect((await stored(foreign))?.status).toBe("CONNECTED");

    await runRevoke(service, revokeJobId);
    service.fakes.PROVIDER_A.failNext("readAccount", "grant_gone");
    await runRecheck(service, (await recheckOf(other)).id);
    expect((await stored(other))?.status).toBe("RECONNECT_REQUIRED");
    expect(await settlements()).toBe(0);
  });

  test("accepts simultaneous disconnects of both without a deadlock", async () => {
    const subjects = Array.from({ length: 8 }, (_, index) => `crowd-${index}`);
    const connections = await Promise.all(
      subjects.map((externalSubjectId) => connect({ accountId: "crowded", externalSubjectId })),
    );
    const results = await Promise.all(
      connections.map((connection) => untilNotBusy(() => calls.disconnect(service, application, connection))),
    );
    expect(results.every(({ accepted }) => accepted)).toBe(true);
    expect(new Set(results.map(({ revokeJobId }) => revokeJobId)).size).toBe(subjects.length);
  });
});

test("suspends a connection for 7 days while its re-check fails, and keeps a grant that may be valid", async () => {
  const { sibling } = await revokedBesideSibling();
  const { id, createdAt } = await recheckOf(sibling);
  for (const ageMs of [0, 25 * HOUR, 7 * 24 * HOUR - 1]) {
    service.clock.set(new Date(createdAt.getTime() + ageMs));
    await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt: null } });
    service.fakes.PROVIDER_A.failNext("readAccount", "unavailable");
    await runRecheck(service, id);
    expect((await stored(sibling))?.status).toBe("SUSPENDED");
  }
  service.clock.set(new Date(createdAt.getTime() + 7 * 24 * HOUR + 2_000));
  service.fakes.PROVIDER_A.failNext("readAccount", "unavailable");
  await runRecheck(service, id);
  expect(await stored(sibling)).toMatchObject({ status: "RECONNECT_REQUIRED", suspendedByJobId: null });
  expect(await settlements()).toBe(0);
  // The provider never reported the grant as revoked, so a later disconnect must still revoke it.
  const grant = await service.prisma.grant.findFirst({ where: { connectionId: sibling.id } });
  expect(grant).toMatchObject({ status: "ACTIVE" });
});

test("retries a re-check while the provider is unavailable, and disconnecting the sibling ends the wait", async () => {
  const { sibling, revokeJobId } = await revokedBesideSibling();
  const recheck = await recheckOf(sibling);
  service.fakes.PROVIDER_A.failNext("readAccount", "unavailable");
  await runRecheck(service, recheck.id);
  expect(await service.prisma.job.findFirst({ where: { id: recheck.id } })).toMatchObject({ status: "QUEUED" });
  expect((await stored(sibling))?.status).toBe("SUSPENDED");

  await disconnect(sibling);
  await runToEnd(service, [RECONCILE_REVOKE_SETTLEMENTS]);
  const left = await service.prisma.revokeSettlement.findMany({ where: { applicationId: application.id } });
  expect(left.map((row) => row.revokeJobId)).not.toContain(revokeJobId);
});

test.each(["PROVIDER_A", "PROVIDER_B"] as const)(
  "an unknown refusal of a re-check at %s ends the connection only after a day while others are read, and a read brings it back",
  async (provider) => {
    const { sibling } = await revokedBesideSibling(provider);
    const other = await connect({ provider, accountId: "other", externalSubjectId: "user-2" });
    const { id } = await recheckOf(sibling);
    const fake = service.fakes[provider];
    const refusal = { status: 403, code: "a_new_one", message: "Not now." };
    const refuse = async () => {
      fake.failures.set("readAccount", [new ProviderError("rejected", "refused", { refusal })]);
      await service.prisma.connection.updateMany({
        where: { id: other.id },
        data: { profileObservedAt: service.clock.current, triedAt: service.clock.current },
      });
      await service.prisma.job.updateMany({ where: { id }, data: { nextRetryAt: null } });
      await runRecheck(service, id);
    };
    const counted = { code: "a_new_one", message: "Not now." };
    for (const hours of [0, 2, 21.9]) {
      service.clock.advance(hours * HOUR);
      await refuse();
      expect(await stored(sibling)).toMatchObject({
        status: "SUSPENDED",
        callRefusals: { ACCOUNT: { ...counted, endedAt: null } },
      });
    }
    service.clock.advance(0.2 * HOUR);
    await refuse();
    expect(await stored(sibling)).toMatchObject({
      status: "RECONNECT_REQUIRED",
      suspendedByJobId: null,
      callRefusals: { ACCOUNT: { ...counted, endedAt: expect.any(String) } },
    });
    expect(await service.prisma.job.findFirst({ where: { id } })).toMatchObject({ status: "SUCCEEDED" });
    const grant = await service.prisma.grant.findFirst({ where: { connectionId: sibling.id } });
    expect(grant).toMatchObject({ status: "ACTIVE" });

    fake.account = { ...fake.account, providerAccountId: sibling.providerAccountId };
    const { id: scanId } = await calls.refresh(service, application, sibling);
    await runScan(service, scanId);
    expect(await stored(sibling)).toMatchObject({ status: "CONNECTED", callRefusals: {} });
  },
);

test("re-enqueues a lost re-check", async () => {
  const { sibling } = await revokedBesideSibling();
  await service.prisma.job.deleteMany({ where: { connectionId: sibling.id, kind: "RECHECK" } });
  await runToEnd(service, [RECONCILE_REVOKE_SETTLEMENTS]);
  await runToEnd(service, [RECONCILE_REVOKE_SETTLEMENTS]);
  expect(await service.prisma.job.count({ where: { connectionId: sibling.id, kind: "RECHECK" } })).toBe(1);
});

test("resumes an erasure interrupted after any write, and counts each row once", async () => {
  for (let allowed = 0; ; allowed += 1) {
    const connection = await connectWithCanaries("PROVIDER_A", `crashing-${allowed}`);
    const { revokeJobId, eraseJobId } = await disconnect(connection);
    await runRevoke(service, revokeJobId);
    const whole = await crashAfter(allowed, (crashing) => runErase(crashing, eraseJobId));
    await runErase(service, eraseJobId);
    expect(await counts(eraseJobId)).toEqual({ content_item: 25, provider_grant: 1, job: 2, connection: 1 });
    expect(await stored(connection)).toBeNull();
    expect(await tablesWith("canary")).toEqual([]);
    if (whole) {
      expect(allowed).toBeGreaterThan(3);
      return;
    }
  }
});

test("rejects a refresh of a disconnected connection", async () => {
  const connection = await connect();
  await disconnect(connection);
  await expect(calls.refresh(service, application, connection)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("repeats a revoke that crashed after the provider's response, and applies its effects once", async () => {
  const connection = await connect();
  const sibling = await connect({ accountId: "sibling" });
  const { revokeJobId } = await disconnect(connection);
  const fake = service.fakes.PROVIDER_A;
  // The claim is committed and the provider has responded, but the receipt is not written.
  expect(await crashAfter(1, (crashing) => runRevoke(crashing, revokeJobId))).toBe(false);
  expect(fake.countOf("revoke")).toBe(1);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "RUNNING" });

  fake.failNext("revoke", "grant_gone");
  await runRevoke(service, revokeJobId);
  await runRevoke(service, revokeJobId);
  expect(await receipt(connection, revokeJobId)).toMatchObject({ status: "SUCCEEDED" });
  expect(await service.prisma.job.count({ where: { connectionId: sibling.id, kind: "RECHECK" } })).toBe(1);
});

async function connectWithCanaries(provider: SocialProvider, externalSubjectId = "user-1"): Promise<Connection> {
  const accountId = `canary-account-${externalSubjectId}`;
  const providerUserKey = `canary-person-${externalSubjectId}`;
  const connection = await connect({ provider, accountId, providerUserKey, externalSubjectId });
  const fake = service.fakes[provider];
  fake.account = { ...fake.account, providerAccountId: accountId, displayName: "canary name", handle: "canary" };
  fake.posts = fake.posts.map((post) => ({ ...post, title: "canary title", description: "canary description" }));
  await calls.startInitialReads(service, connection);
  const jobs = await service.prisma.job.findMany({ where: { connectionId: connection.id } });
  for (const { id, kind } of jobs) await (kind === "SCAN" ? runScan : runProfileRead)(service, id);
  return connection;
}

const disconnect = (connection: Connection) => calls.disconnect(service, application, connection);
const receipt = (connection: Connection, id: string) => calls.readJob(service, application, connection, id);

/** Simulates a process that was killed while it renewed the credential. */
async function interruptRenewal({ id: connectionId }: Connection): Promise<void> {
  const renewalStartedAt = service.clock.fromNow(-HOUR);
  await service.prisma.grant.updateMany({ where: { connectionId }, data: { renewalStartedAt } });
}

/** A sibling that waits for its re-check, because a disconnect revoked its grant's sibling. */
async function revokedBesideSibling(provider: SocialProvider = "PROVIDER_A") {
  const connection = await connect({ provider });
  const sibling = await connect({ provider, accountId: "sibling" });
  const { revokeJobId } = await disconnect(connection);
  await runRevoke(service, revokeJobId);
  return { sibling, revokeJobId };
}

function recheckOf({ id: connectionId }: Connection) {
  return service.prisma.job.findFirstOrThrow({ where: { connectionId, kind: "RECHECK" } });
}

async function waitAndRun(
  connection: Connection,
  id: string,
  run: (on: TestService, id: string) => Promise<void>,
): Promise<void> {
  const { nextRetryAt } = await receipt(connection, id);
  if (nextRetryAt === null) throw new Error("the job has no nextRetryAt");
  service.clock.set(nextRetryAt);
  await run(service, id);
}

async function counts(eraseJobId: string) {
  return (await service.prisma.job.findFirstOrThrow({ where: { id: eraseJobId } })).deletedCounts;
}

function stored(connection: Connection) {
  return service.prisma.connection.findFirst({ where: { id: connection.id } });
}

function settlements(): Promise<number> {
  return service.prisma.revokeSettlement.count({ where: { applicationId: application.id } });
}

/** Tables with a row that contains the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await service.pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await service.pool.query(`SELECT 1 FROM "${name}" AS whole WHERE whole::text LIKE $1 LIMIT 1`, [
      `%${text}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

class CutOff extends Error {}

/**
 * Runs with a service that crashes at the transaction after `allowed`, before or after its commit; true if it never
 * crashed.
 */
async function crashAfter(allowed: number, run: (crashing: TestService) => Promise<void>): Promise<boolean> {
  let transactions = 0;
  const prisma = new Proxy(service.prisma, {
    get(target, property) {
      if (property !== "$transaction") return Reflect.get(target, property);
      return async (...args: unknown[]) => {
        if (transactions >= allowed) throw new CutOff();
        transactions += 1;
        return Reflect.apply(target.$transaction, target, args);
      };
    },
  });
  try {
    await run({ ...service, prisma });
    return true;
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    return false;
  }
}
