import { ConflictError } from "@social-connect/domain";
import { beforeAll, describe, expect, test } from "vitest";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { SYSTEM } from "../admin/actor.ts";
import { removeAdmin } from "../admins/admins.ts";
import { listAuditEntries } from "../audit/listAuditEntries.ts";
import { createAdminMember, createApiKey, sessionOf } from "../testing/admins.ts";
import { service, useService } from "../testing/fixtures.ts";
import { allPages, untilNotBusy } from "../testing/outcomes.ts";
import { authenticateApiKey } from "./authenticateApiKey.ts";
import { mintApiKey, revokeApiKey } from "./changeApiKeys.ts";
import { listActiveApiKeys, listApiKeys, readApiKey } from "./readApiKeys.ts";

useService();

const DAY = 86_400_000;
const WHOLE = { first: 100, after: null };
const ONE_DAY = { label: "k", scope: "READ", lifetimeDays: 1 } as const;
let keeper: AdminMember;

beforeAll(async () => {
  keeper = await createAdminMember(service, "keeper@example.test");
});

function authenticate(key: string) {
  return authenticateApiKey(service, `Bearer ${key}`);
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "accepted",
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
}

const UNAUTHENTICATED = "UNAUTHENTICATED: A valid admin key is required, in the header `Authorization: Bearer KEY`.";

describe("an admin key", () => {
  test("is shown once, stored as a hash, and acts as the admin who minted it", async () => {
    const input = { label: "deploy", scope: "WRITE", lifetimeDays: 90 } as const;
    const minted = await mintApiKey(service, sessionOf(service, keeper), input);
    expect(minted.key.reveal()).toMatch(/^scadm_[0-9a-f-]{36}\.[0-9a-f]{64}$/);
    expect(minted.apiKey.expiresAt.getTime() - minted.apiKey.createdAt.getTime()).toBe(90 * DAY);
    expect(await authenticate(minted.key.reveal())).toEqual({
      via: "key",
      keyId: minted.apiKey.id,
      scope: "WRITE",
      memberId: keeper.id,
    });
    const [, secret = ""] = minted.key.reveal().split(".");
    const { rows } = await service.pool.query("SELECT k::text AS stored FROM admin_api_key k");
    expect(JSON.stringify(rows)).not.toContain(secret);
    const { items } = await listAuditEntries(service, { apiKeyId: minted.apiKey.id }, WHOLE);
    expect(items.map(({ actor, action }) => [actor, action])).toEqual([
      [`Via API key ${minted.apiKey.id.slice(0, 8)}`, "API key first used"],
    ]);
  });

  test("is rejected with the same error for any reason", async () => {
    const other = await createAdminMember(service);
    const moved = await createAdminMember(service);
    const good = await createApiKey(service, keeper, "READ");
    const [revoked, expired, removed, rebound] = await Promise.all([
      createApiKey(service, keeper, "READ"),
      createApiKey(service, keeper, "READ"),
      createApiKey(service, other, "READ"),
      createApiKey(service, moved, "READ"),
    ]);
    for (const { key } of [good, revoked, expired, removed, rebound]) await authenticate(key);
    await revokeApiKey(service, sessionOf(service, keeper), revoked.id);
    const expiresAt = service.clock.current;
    await service.prisma.adminApiKey.update({ where: { id: expired.id }, data: { expiresAt } });
    await removeAdmin(service, sessionOf(service, keeper), other.id);
    await service.prisma.adminMember.update({ where: { id: moved.id }, data: { subject: "another account" } });
    const secret = good.key.split(".")[1] ?? "";
    const bad = [
      revoked.key,
      expired.key,
      removed.key,
      rebound.key,
      `scadm_${crypto.randomUUID()}.${secret}`,
      `scadm_${good.id}.${"0".repeat(64)}`,
      `scadm_${good.id}.${secret.slice(1)}`,
      `scadm_${good.id}.${secret.toUpperCase().replace(/^\d+$/, "F")}`,
      `${good.id}.${secret}`,
      `SCADM_${good.id}.${secret}`,
      ` ${good.key}`,
      `${good.key} `,
      "",
    ];
    for (const key of bad) expect([key, await refusalOf(authenticate(key))]).toEqual([key, UNAUTHENTICATED]);
    expect(await refusalOf(authenticateApiKey(service, null))).toBe(UNAUTHENTICATED);
    expect((await authenticate(good.key)).keyId).toBe(good.id);
  });

  test("leaves one 'first used' entry for concurrent first calls", async () => {
    const { id, key } = await createApiKey(service, keeper, "READ");
    await Promise.all(Array.from({ length: 50 }, () => authenticate(key)));
    const { items } = await listAuditEntries(service, { apiKeyId: id }, WHOLE);
    expect(items).toHaveLength(1);
  });

  test("is rejected when its first use cannot be recorded", async () => {
    const { key } = await createApiKey(service, keeper, "READ");
    await service.pool.query("ALTER TABLE audit_entry RENAME TO audit_entry_away");
    const refused = await refusalOf(authenticate(key));
    await service.pool.query("ALTER TABLE audit_entry_away RENAME TO audit_entry");
    expect(refused).toContain("audit_entry");
    expect((await authenticate(key)).scope).toBe("READ");
  });

  test("is limited to five active keys, even when ten are minted concurrently; inactive keys do not count", async () => {
    const member = await createAdminMember(service);
    const actor = sessionOf(service, member);
    const mint = () => untilNotBusy(() => mintApiKey(service, actor, ONE_DAY));
    const results = await Promise.allSettled(Array.from({ length: 10 }, mint));
    const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => reason);
    expect(refused).toHaveLength(5);
    expect(refused.every((error) => error instanceof ConflictError && error.reason === "KEY_LIMIT")).toBe(true);
    const keys = await service.prisma.adminApiKey.findMany({ where: { memberId: member.id } });
    expect(keys).toHaveLength(5);
    await revokeApiKey(service, actor, keys[0]?.id ?? "");
    await mint();
    expect(await refusalOf(mint())).toContain("CONFLICT");
  });

  test.each([
    ["one day too many", { lifetimeDays: 91 }],
    ["zero days", { lifetimeDays: 0 }],
  ])("is not minted with %s", async (_, wrong) => {
    const actor = sessionOf(service, await createAdminMember(service));
    expect(await refusalOf(mintApiKey(service, actor, { ...ONE_DAY, ...wrong }))).toContain("BAD_USER_INPUT");
  });
});

test("a live deployment's keys live for 30 days at most", async () => {
  const live = { ...service, mode: "live" } as const;
  const actor = sessionOf(service, await createAdminMember(service));
  const mint = (lifetimeDays: number) => mintApiKey(live, actor, { ...ONE_DAY, lifetimeDays });
  await mint(30);
  expect(await refusalOf(mint(31))).toContain("BAD_USER_INPUT");
});

test("keys are listed newest first, page by page, without reading their hashes", async () => {
  const seen = await allPages((after) => listApiKeys(service, { first: 3, after }));
  const all = await service.prisma.adminApiKey.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
  expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

test("a key has the time of its first use, and an unknown id is NOT_FOUND", async () => {
  const { id, key } = await createApiKey(service, await createAdminMember(service), "READ");
  expect((await readApiKey(service, id)).firstUsedAt).toBeNull();
  const usedAt = service.clock.current;
  await authenticate(key);
  service.clock.advance(1_000);
  await authenticate(key);
  expect((await readApiKey(service, id)).firstUsedAt).toEqual(usedAt);
  for (const unknown of [newId(), "none"]) {
    await expect(readApiKey(service, unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("an admin's active keys are listed newest first, without other admins' and inactive keys", async () => {
  const [member, other] = [await createAdminMember(service), await createAdminMember(service)];
  await createApiKey(service, other, "WRITE");
  const keys: string[] = [];
  for (let count = 0; count < 3; count++) {
    keys.unshift((await createApiKey(service, member, "READ")).id);
    service.clock.advance(1_000);
  }
  const listed = async () => (await listActiveApiKeys(service, member.id)).map(({ id }) => id);
  expect(await listed()).toEqual(keys);
  await revokeApiKey(service, SYSTEM, keys[1] ?? "");
  expect(await listed()).toEqual([keys[0], keys[2]]);
  service.clock.advance(DAY);
  expect(await listed()).toEqual([]);
  expect(await listActiveApiKeys(service, "none")).toEqual([]);
});
