import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { SYSTEM } from "../admin/actor.ts";
import { createAdminMember, createApiKey } from "../testing/admins.ts";
import { service } from "../testing/serviceOfFile.ts";
import { authenticateApiKey } from "./authenticateApiKey.ts";
import { listActiveApiKeys, readApiKey } from "./readApiKeys.ts";
import { revokeApiKey } from "./revokeApiKey.ts";

test("a key has the time of its first use, and an unknown id is NOT_FOUND", async () => {
  const { id, key } = await createApiKey(service, await createAdminMember(service), "READ");
  expect((await readApiKey(service, id)).firstUsedAt).toBeNull();
  const usedAt = service.clock.current;
  await authenticateApiKey(service, `Bearer ${key}`);
  service.clock.advance(1_000);
  await authenticateApiKey(service, `Bearer ${key}`);
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
  service.clock.advance(86_400_000);
  expect(await listed()).toEqual([]);
  expect(await listActiveApiKeys(service, "none")).toEqual([]);
});
