import { expect, test } from "vitest";
import { ask, askAdminApi } from "../testing/post.ts";
import { createAdminMock, createConsumerMock } from "./consumerMock.ts";

test("a client that is disabled through the admin API is refused by the consumer mock it is linked to", async () => {
  const consumer = createConsumerMock();
  const admin = createAdminMock({ link: consumer });
  const { id } = consumer.application;
  const readiness = () => ask(consumer, "{ integrationReadiness { idpIdentityAvailable } }");
  const setEnabled = (enabled: boolean) =>
    askAdminApi(consumer, `mutation { setClientEnabled(id: "${id}", enabled: ${enabled}) { enabled } }`);

  expect((await readiness()).errors).toBeUndefined();
  expect((await setEnabled(false)).data).toEqual({ setClientEnabled: { enabled: false } });
  expect((await readiness()).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  await setEnabled(true);
  expect((await readiness()).errors).toBeUndefined();
  expect(admin.audit().map(({ action }) => action)).toEqual([
    "Client enabled",
    "Client disabled",
    "API key first used",
  ]);
});

test("refuses a sixth key, and rejects the keys of a removed admin", async () => {
  const admin = createAdminMock();
  const names = () => askAdminApi(admin.consumer, "{ adminMembers { email } }", key);
  admin.addMember("second@example.test");
  const key = admin.mintKey({ scope: "READ", admin: "second@example.test" });
  expect((await names()).data).toEqual({ adminMembers: admin.members.map((email) => ({ email })) });
  for (let count = 1; count < 5; count += 1) admin.mintKey({ scope: "READ", admin: "second@example.test" });
  expect(() => admin.mintKey({ scope: "READ", admin: "second@example.test" })).toThrow("5 active keys");
  admin.removeMember("second@example.test");
  expect((await names()).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  expect(() => admin.mintKey({ scope: "READ", admin: "second@example.test" })).toThrow("Admins: admin@example.test");
});

test("a snapshot contains no key and restores the admin API", () => {
  const admin = createAdminMock();
  const before = admin.consumer.snapshot();
  const key = admin.mintKey({ scope: "WRITE" });
  const secret = key.split(".")[1] ?? "";
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  for (const hidden of [secret, admin.writeKey.split(".")[1] ?? ""]) {
    expect(admin.consumer.snapshot().includes(hidden)).toBe(false);
  }
  admin.consumer.restore(before);
  expect(admin.audit()).toEqual([]);
  expect(admin.mintKey({ scope: "WRITE" })).toBe(key);
});
