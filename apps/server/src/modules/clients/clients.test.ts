import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import type { KeyActor } from "../admin/actor.ts";
import { authenticate } from "../applications/checkKey.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { createApplication, createRegistrations, ORIGIN, type TestApplication } from "../testing/builders.ts";
import { startConnect, startIdentity } from "../testing/calls.ts";
import { allPages, outcomeOf, untilNotBusy, whileLocked } from "../testing/outcomes.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import { changeClient, createClient } from "./changeClient.ts";
import { issueClientCredential, revokeClientCredential } from "./credentials.ts";
import { listClients } from "./readClients.ts";
import { addClientTester, listClientTesters, removeClientTester, setClientTesterNote } from "./testers.ts";

let service: TestService;
let member: AdminMember;
const actor: KeyActor = {
  via: "key",
  keyId: "1a2b3c4d-0000-4000-8000-000000000000",
  scope: "WRITE",
  memberId: "1a2b3c4d-0000-4000-8000-000000000001",
};
const NEW_CLIENT = {
  displayName: "New",
  webOrigins: ["https://new.example"],
  returnUrls: ["https://new.example/back"],
  tenantKeys: ["t"],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE"],
  confirmedNoOnwardRedirect: true,
} as const;

beforeAll(async () => {
  service = await startTestService({
    issuer: { url: "http://127.0.0.1:9", clientId: "x", clientSecret: { reveal: () => "x" } as never },
  });
  member = await createAdminMember(service);
  await createRegistrations(service);
});
afterAll(() => service.close());

const addTenant = (id: string, tenantKey = "t") =>
  changeClient(service, actor, id, "addClientTenantKey", { tenantKey });
const setEnabled = (id: string, enabled: boolean) => changeClient(service, actor, id, "setClientEnabled", { enabled });

function auditOf(targetId: string) {
  return service.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { at: "asc" } });
}

test("a client is created with its audit entry and a unique slug", async () => {
  const client = await createClient(service, actor, { ...NEW_CLIENT, slug: "new" });
  expect(client).toMatchObject({ slug: "new", enabled: true, identityReturnUrls: [], idpIdentityEnabled: false });
  expect(await auditOf(client.id)).toMatchObject([
    { actor: "Via API key 1a2b3c4d", action: "Client created", apiKeyId: actor.keyId, clientSlug: "new" },
  ]);
  expect(await outcomeOf(createClient(service, actor, { ...NEW_CLIENT, slug: "new" }))).toBe("CONFLICT SLUG_TAKEN");
  const create = () => outcomeOf(createClient(service, actor, { ...NEW_CLIENT, slug: "at-once" }));
  const parallel = Array.from({ length: 10 }, create);
  expect((await Promise.all(parallel)).filter((answer) => answer === "done")).toHaveLength(1);
});

test("parallel changes of one client are all applied", async () => {
  const { id } = await createApplication(service, "parallel");
  const names = Array.from({ length: 10 }, (_, index) => `added-${index}`);
  await Promise.all(names.map((name) => untilNotBusy(() => addTenant(id, name))));
  const { tenantKeys } = await service.prisma.application.findUniqueOrThrow({ where: { id } });
  expect(tenantKeys.toSorted()).toEqual([...names, "tenant-1", "tenant-2"].toSorted());
  expect(await auditOf(id)).toHaveLength(10);
});

test("setting the current value changes nothing and has no audit entry", async () => {
  const { id } = await createApplication(service, "as-it-is");
  const before = await service.prisma.application.findUniqueOrThrow({ where: { id } });
  const { enabled, displayName, providers, capabilities, previewOriginsEnabled } = before;
  const identity = { enabled: before.idpIdentityEnabled, returnUrls: before.identityReturnUrls };
  const answers = [
    await changeClient(service, actor, id, "setClientEnabled", { enabled }),
    await changeClient(service, actor, id, "setClientDisplayName", { displayName }),
    await changeClient(service, actor, id, "setClientPolicy", { providers, capabilities }),
    await changeClient(service, actor, id, "setClientPreviewOrigins", { enabled: previewOriginsEnabled }),
    await changeClient(service, actor, id, "setClientIdpIdentity", identity),
  ];
  for (const answer of answers) expect(answer).toEqual(before);
  expect(await auditOf(id)).toEqual([]);
});

test("of two concurrent removals, the last origin survives", async () => {
  const { id } = await createApplication(service, "origins");
  await changeClient(service, actor, id, "addClientOrigin", { origin: "https://two.example" });
  await changeClient(service, actor, id, "addClientOrigin", { origin: "https://three.example" });
  const answers = await Promise.all(
    ["https://two.example", "https://three.example"].map((origin) =>
      outcomeOf(untilNotBusy(() => changeClient(service, actor, id, "removeClientOrigin", { origin }))),
    ),
  );
  expect(answers).toEqual(["done", "done"]);
  const last = changeClient(service, actor, id, "removeClientOrigin", { origin: ORIGIN });
  expect(await outcomeOf(last)).toBe("CONFLICT LAST_ORIGIN");
});

test("a locked row is ROW_BUSY and does not hang", async () => {
  const { id } = await createApplication(service, "busy");
  const lock = "SELECT 1 FROM application WHERE id = $1 FOR UPDATE";
  expect(await whileLocked(service, lock, [id], () => outcomeOf(addTenant(id)))).toBe("CONFLICT ROW_BUSY");
  expect(await outcomeOf(addTenant(id))).toBe("done");
});

test.each(["audit_entry", "application"])("a failure at %s leaves neither the change nor its entry", async (table) => {
  const { id } = await createApplication(service, `crash-${table.replace("_", "-")}`);
  await service.pool.query(`ALTER TABLE ${table} ADD CONSTRAINT fail CHECK (false) NOT VALID`);
  const refused = await outcomeOf(addTenant(id));
  await service.pool.query(`ALTER TABLE ${table} DROP CONSTRAINT fail`);
  expect(refused).not.toBe("done");
  const { tenantKeys } = await service.prisma.application.findUniqueOrThrow({ where: { id } });
  expect([tenantKeys.includes("t"), (await auditOf(id)).length]).toEqual([false, 0]);
  await addTenant(id);
  expect(await auditOf(id)).toHaveLength(1);
});

describe("disabling a client", () => {
  let application: TestApplication;

  beforeAll(async () => {
    application = await createApplication(service, "to-disable", { idpIdentityEnabled: true });
  });

  test("ends pending attempts and rejects its keys from the next call on", async () => {
    const connect = await startConnect(service, application);
    const identity = await startIdentity(service, application);
    await setEnabled(application.id, false);
    expect(await service.prisma.connectAttempt.findFirstOrThrow({ where: { id: connect.id } })).toMatchObject({
      status: "CANCELED",
      resultCode: "APPLICATION_DISABLED",
    });
    expect(await service.prisma.identityAttempt.findFirstOrThrow({ where: { id: identity.id } })).toMatchObject({
      status: "FAILED",
    });
    const disabled = { summary: "Disabled the client to-disable; unfinished attempts ended: 2." };
    expect(await auditOf(application.id)).toMatchObject([disabled]);
    const call = () => outcomeOf(authenticate(service, [`Bearer ${application.key}`]));
    expect(await call()).toBe("FORBIDDEN");
    await setEnabled(application.id, true);
    expect(await call()).toBe("done");
  });

  test("also rejects calls that were authenticated before, so that nothing starts afterwards", async () => {
    const begin = async () => [
      await outcomeOf(startConnect(service, application)),
      await outcomeOf(startIdentity(service, application)),
    ];
    await setEnabled(application.id, false);
    expect(await begin()).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    await setEnabled(application.id, true);
    expect(await begin()).toEqual(["done", "done"]);
  });

  test("is recorded once, however often it is repeated", async () => {
    await setEnabled(application.id, false);
    const before = (await auditOf(application.id)).length;
    await setEnabled(application.id, false);
    expect(await auditOf(application.id)).toHaveLength(before);
  });
});

describe("application keys", () => {
  test("are limited to two: of twenty issued concurrently exactly two are active", async () => {
    const client = await createClient(service, actor, { ...NEW_CLIENT, slug: "keys" });
    const session = sessionOf(service, member);
    const issue = () => untilNotBusy(() => issueClientCredential(service, session, client.id, null));
    const answers = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(issue())));
    expect(answers.filter((answer) => answer === "done")).toHaveLength(2);
    expect(new Set(answers)).toEqual(new Set(["done", "CONFLICT KEY_LIMIT"]));
    expect(await service.prisma.applicationKey.count({ where: { applicationId: client.id, revokedAt: null } })).toBe(2);
  });

  test("work until they are revoked or expire", async () => {
    const client = await createClient(service, actor, { ...NEW_CLIENT, slug: "rotating" });
    const session = sessionOf(service, member);
    const { key, credential } = await issueClientCredential(service, session, client.id, 1);
    const call = () => outcomeOf(authenticate(service, [`Bearer ${key.reveal()}`]));
    expect(await call()).toBe("done");
    service.clock.advance(86_400_000);
    expect(await call()).toBe("UNAUTHENTICATED");
    service.clock.advance(-86_400_000);
    await revokeClientCredential(service, session, client.id, credential.id);
    expect(await call()).toBe("UNAUTHENTICATED");
    const other = await createClient(service, actor, { ...NEW_CLIENT, slug: "foreign" });
    expect(await outcomeOf(revokeClientCredential(service, session, other.id, credential.id))).toBe("NOT_FOUND");
    const { rows } = await service.pool.query("SELECT e::text FROM audit_entry e");
    expect(JSON.stringify(rows)).not.toContain(key.reveal().split(".")[1]);
  });
});

test("testers are unique per account", async () => {
  const client = await createClient(service, actor, { ...NEW_CLIENT, slug: "testers" });
  const account = { provider: "PROVIDER_B", providerAccountId: "account-1" } as const;
  await addClientTester(service, actor, client.id, account);
  expect(await outcomeOf(addClientTester(service, actor, client.id, account))).toBe("CONFLICT ALREADY_PRESENT");
  expect(await listClientTesters(service, client.id)).toMatchObject([{ ...account, note: null }]);
  await setClientTesterNote(service, actor, client.id, { ...account, note: "Mara from QA" });
  expect(await listClientTesters(service, client.id)).toMatchObject([{ ...account, note: "Mara from QA" }]);
  const entries = await service.prisma.auditEntry.findMany({ where: { targetId: client.id } });
  expect(entries.map(({ action }) => action)).toContain("Tester note changed");
  expect(JSON.stringify(entries)).not.toContain("Mara");
  await removeClientTester(service, actor, client.id, account);
  expect(await outcomeOf(removeClientTester(service, actor, client.id, account))).toBe("NOT_FOUND");
  expect(await outcomeOf(setClientTesterNote(service, actor, client.id, account))).toBe("NOT_FOUND");
});

test.each(["not-an-id", "", "1a2b3c4d-0000-4000-8000-00000000dead"])("the id %j belongs to no client", async (id) => {
  expect(await outcomeOf(addTenant(id))).toBe("NOT_FOUND");
});

test("clients are listed by slug, page by page, and found by parts of their names", async () => {
  const seen = (await allPages((after) => listClients(service, { first: 4, after }))).map(({ slug }) => slug);
  expect(seen).toHaveLength(await service.prisma.application.count());
  expect(new Set(seen).size).toBe(seen.length);
  const found = await listClients(service, { first: null, after: null, text: "ROTAT%" });
  expect(found.items).toEqual([]);
  expect((await listClients(service, { first: null, after: null, text: "ROTAT" })).items).toHaveLength(1);
});
