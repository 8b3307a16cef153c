import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { beforeEach, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { sealOwner } from "../grants/grantOwner.ts";
import { EXPIRE_ATTEMPTS } from "../retention/expireAttempts.ts";
import { application, connect, registrations, service, useApplication } from "../testing/fixtures.ts";
import { createConnectAttempt, createPendingGrant, orphanedGrants } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { revokeOrphanedGrant } from "../testing/tasks.ts";

useApplication();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(async () => {
  await service.prisma.grant.deleteMany();
  await service.prisma.connectAttempt.deleteMany();
  for (const fake of Object.values(service.fakes)) fake.reset();
});

test("revokes the grant of a failed attempt once and deletes the credential", async () => {
  const { grantId, attemptId } = await orphan("FAILED");
  await revokeOrphanedGrant(service, grantId);
  await revokeOrphanedGrant(service, grantId);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
  expect(await service.prisma.grant.count()).toBe(0);
  expect(await attempt(attemptId)).toMatchObject({ creatorAction: null });
});

test("does not revoke a grant during the exchange until the attempt's deadline", async () => {
  const { grantId } = await orphan("EXCHANGING");
  await revokeOrphanedGrant(service, grantId);
  expect(await orphanedGrants(service, service.clock.current)).toEqual([]);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(0);
  service.clock.advance(10 * MINUTE);
  expect(await orphanedGrants(service, service.clock.current)).toEqual([grantId]);
  await revokeOrphanedGrant(service, grantId);
  expect(await service.prisma.grant.count()).toBe(0);
});

test("expires an interrupted attempt and sets creatorAction if its grant cannot be revoked", async () => {
  const { grantId, attemptId } = await orphan("EXCHANGING");
  service.clock.advance(10 * MINUTE);
  service.fakes.PROVIDER_A.failNext("revoke", "rejected");
  await revokeOrphanedGrant(service, grantId);
  const expired = { status: "EXPIRED", resultCode: "DEADLINE_PASSED", creatorAction: "REMOVE_APP_AT_PROVIDER" };
  expect(await attempt(attemptId)).toMatchObject(expired);
  await runToEnd(service, EXPIRE_ATTEMPTS);
  expect(await attempt(attemptId)).toMatchObject(expired);
});

test("retries transient failures for 24 hours, then sets creatorAction as after a rejection", async () => {
  const { grantId, attemptId } = await orphan("FAILED");
  service.fakes.PROVIDER_A.before.set("revoke", async () => service.fakes.PROVIDER_A.failNext("revoke", "unavailable"));
  await revokeOrphanedGrant(service, grantId);
  const queued = service.enqueued.at(-1);
  expect(queued).toMatchObject({ task: "revokeOrphanedGrant", payload: { id: grantId } });
  expect(queued?.startAfter?.getTime()).toBeGreaterThan(service.clock.current.getTime());
  expect(await service.prisma.grant.count()).toBe(1);
  service.clock.advance(DAY);
  await revokeOrphanedGrant(service, grantId);
  expect(await service.prisma.grant.count()).toBe(0);
  expect(await attempt(attemptId)).toMatchObject({ creatorAction: "REMOVE_APP_AT_PROVIDER" });
});

test("does not revoke a grant if a later attempt of the same subject succeeded", async () => {
  const { grantId } = await orphan("FAILED");
  service.fakes.PROVIDER_A.failNext("revoke", "unavailable");
  await revokeOrphanedGrant(service, grantId);
  service.clock.advance(MINUTE);
  const later = await orphan("COMPLETED");
  await service.prisma.grant.deleteMany({ where: { id: later.grantId } });
  await revokeOrphanedGrant(service, grantId);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
  expect(await service.prisma.grant.count()).toBe(0);
});

test("does not revoke a grant if another subject has connected the account", async () => {
  const owned = { providerAccountId: "shared-account", providerUserKey: null };
  const [shared, unshared] = [await orphan("FAILED"), await orphan("FAILED")];
  for (const { grantId } of [shared, unshared]) {
    const owner = grantId === shared.grantId ? owned : { ...owned, providerAccountId: "unshared-account" };
    const ownerSealed = sealOwner(service.secretBox, grantId, owner);
    await service.prisma.grant.updateMany({ where: { id: grantId }, data: { ownerSealed } });
  }
  const theirs = await connect({ accountId: "shared-account", externalSubjectId: "another" });
  await revokeOrphanedGrant(service, shared.grantId);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(0);
  await revokeOrphanedGrant(service, unshared.grantId);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
  await service.prisma.connection.deleteMany({ where: { id: theirs.id } });
  expect(await service.prisma.grant.count()).toBe(0);
});

test("reads an unknown account before the revoke, because another subject may have connected it", async () => {
  const { readAccount } = service.fakes.PROVIDER_A;
  const shared = await orphan("FAILED");
  const theirs = await connect({ accountId: "not-read-in-time", externalSubjectId: "another" });
  service.fakes.PROVIDER_A.readAccount = async (session) => {
    const account = await Reflect.apply(readAccount, service.fakes.PROVIDER_A, [session]);
    return { ...account, providerAccountId: "not-read-in-time", providerUserKey: null };
  };
  try {
    service.fakes.PROVIDER_A.failNext("readAccount", "unavailable");
    await revokeOrphanedGrant(service, shared.grantId);
    expect(service.enqueued.at(-1)).toMatchObject({ task: "revokeOrphanedGrant", payload: { id: shared.grantId } });
    await revokeOrphanedGrant(service, shared.grantId);
    expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(0);
    expect(await service.prisma.grant.findFirst({ where: { id: shared.grantId } })).toBeNull();
    const connection = await service.prisma.connection.findFirst({ where: { id: theirs.id } });
    expect(connection).toMatchObject({ status: "CONNECTED" });
    await service.prisma.connection.deleteMany({ where: { id: theirs.id } });
    const unshared = await orphan("FAILED");
    await revokeOrphanedGrant(service, unshared.grantId);
    expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
  } finally {
    service.fakes.PROVIDER_A.readAccount = readAccount;
  }
});

test("revokes a grant whose account the provider does not return", async () => {
  const { grantId } = await orphan("FAILED");
  service.fakes.PROVIDER_A.failNext("readAccount", "scope_missing");
  await revokeOrphanedGrant(service, grantId);
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(1);
});

test("re-checks the subject's connections after revoking an orphaned grant", async () => {
  const { grantId } = await orphan("FAILED");
  const sibling = await connect({ accountId: "sibling" });
  await revokeOrphanedGrant(service, grantId);
  const jobs = await service.prisma.job.findMany({ where: { connectionId: sibling.id } });
  expect(jobs.map(({ kind }) => kind)).toEqual(["RECHECK"]);
  await service.prisma.connection.deleteMany({ where: { id: sibling.id } });
});

test("deletes a grant that cannot be decrypted after 24 hours and sets creatorAction", async () => {
  const [first, second] = [await orphan("FAILED"), await orphan("FAILED")];
  const { accessTokenSealed } = await service.prisma.grant.findFirstOrThrow({ where: { id: first.grantId } });
  await service.prisma.grant.updateMany({ where: { id: second.grantId }, data: { accessTokenSealed } });
  const withoutKey = {
    ...service,
    secretBox: createSecretBox([{ id: "another", key: new Secret(randomBytes(32).toString("base64")) }]),
  };
  const revoke = async () => {
    await revokeOrphanedGrant(withoutKey, first.grantId);
    await revokeOrphanedGrant(service, second.grantId);
  };
  await revoke();
  expect(await service.prisma.grant.count()).toBe(2);
  service.clock.advance(DAY);
  await revoke();
  expect(await service.prisma.grant.count()).toBe(0);
  for (const { attemptId } of [first, second]) {
    expect(await attempt(attemptId)).toMatchObject({ creatorAction: "REMOVE_APP_AT_PROVIDER" });
  }
  expect(service.fakes.PROVIDER_A.countOf("revoke")).toBe(0);
});

test("deletes the credential and sets creatorAction if the provider has no revoke API", async () => {
  const { grantId, attemptId } = await orphan("FAILED", "PROVIDER_C");
  await revokeOrphanedGrant(service, grantId);
  expect(await service.prisma.grant.count()).toBe(0);
  expect(await attempt(attemptId)).toMatchObject({ creatorAction: "REMOVE_APP_AT_PROVIDER" });
});

async function orphan(status: "FAILED" | "EXCHANGING" | "COMPLETED", provider: SocialProvider = "PROVIDER_A") {
  const attempt = await createConnectAttempt(service, application, registrations, { provider, status });
  return { attemptId: attempt.id, grantId: (await createPendingGrant(service, attempt)).id };
}

function attempt(id: string) {
  return service.prisma.connectAttempt.findFirst({ where: { id } });
}
