import { randomBytes } from "node:crypto";
import {
  type AdminOptions,
  type AdminReader,
  type AdminWriter,
  type ClientDeclaration,
  createAdmin,
  describePlan,
  isDestructive,
  parsePlan,
  type WriteResult,
} from "@social-connect/admin-sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { server, useAdminServer } from "../../http/testing/adminServer.ts";
import { createAdminMember, createApiKey, type TestAdminKey } from "../../modules/testing/admins.ts";
import { createApplication } from "../../modules/testing/builders.ts";
import { service } from "../../modules/testing/fixtures.ts";
import { createEventEndpoint } from "../../modules/testing/rows.ts";

useAdminServer();

const CONFIRMED = { confirmedNoOnwardRedirect: true } as const;

let readKey: TestAdminKey;
let writeKey: TestAdminKey;
let reader: AdminReader;
let admin: AdminWriter;
let id: string;
let count = 0;

beforeAll(async () => {
  const member = await createAdminMember(service);
  readKey = await createApiKey(service, member, "READ");
  writeKey = await createApiKey(service, member, "WRITE");
  reader = createAdmin({ host: server.url, key: readKey.key, scope: "READ" });
  admin = writer();
});
beforeEach(async () => {
  ({ id } = await createApplication(service, `client-${++count}`));
});

function writer(options: Pick<AdminOptions, "fetch" | "hooks"> = {}): AdminWriter {
  return createAdmin({ host: server.url, key: writeKey.key, scope: "WRITE", ...options });
}

async function auditOf(clientId: string): Promise<readonly string[]> {
  const entries = await service.prisma.auditEntry.findMany({ where: { targetId: clientId }, orderBy: { id: "asc" } });
  return entries.map(({ action }) => action);
}

/**
 * A transport that loses the response to the next mutation, either after the service applied it or before it received
 * it.
 */
function losing(when: "before" | "after"): typeof fetch {
  let isLost = false;
  return async (input, init) => {
    const isHit = !isLost && String(init?.body).includes("mutation");
    isLost ||= isHit;
    if (isHit && when === "before") throw new TypeError("fetch failed");
    const response = await fetch(input, init);
    if (isHit) throw new TypeError("fetch failed");
    return response;
  };
}

describe("every write of the SDK", () => {
  const WRITES: readonly [string, (clientId: string) => Promise<WriteResult>][] = [
    ["setClientEnabled", (client) => admin.setClientEnabled(client, false)],
    ["setClientDisplayName", (client) => admin.setClientDisplayName(client, "New name")],
    ["setClientBranding", (client) => admin.setClientBranding(client, { brandColor: "#0a5c36" })],
    ["setClientPolicy", (client) => admin.setClientPolicy(client, { providers: ["PROVIDER_C"], capabilities: [] })],
    ["addClientTenantKey", (client) => admin.addClientTenantKey(client, "tenant-3")],
    ["removeClientTenantKey", (client) => admin.removeClientTenantKey(client, "tenant-2")],
    ["addClientOrigin", (client) => admin.addClientOrigin(client, "https://new.example")],
    ["addClientReturnUrl", (client) => admin.addClientReturnUrl(client, "https://shop.example/new", CONFIRMED)],
    ["setClientPreviewOrigins", (client) => admin.setClientPreviewOrigins(client, true)],
    ["addClientPreviewReturnPath", (client) => admin.addClientPreviewReturnPath(client, "/new")],
  ];

  test.each(WRITES)("%s is applied once by the second attempt and is in the audit log once", async (_, write) => {
    const before = (await auditOf(id)).length;
    const first = await write(id);
    expect(first).toMatchObject({ outcome: "applied", client: { id } });
    expect(await write(id)).toEqual({ outcome: "already", client: first.client });
    expect(await auditOf(id)).toHaveLength(before + 1);
    expect(await reader.client(id)).toEqual(first.client);
  });

  test("that adds an entry can be undone by the corresponding removal", async () => {
    await admin.addClientOrigin(id, "https://new.example");
    await admin.addClientReturnUrl(id, "https://new.example/r", CONFIRMED);
    await admin.addClientPreviewReturnPath(id, "/new");
    const inUse = admin.removeClientOrigin(id, "https://new.example");
    await expect(inUse).rejects.toMatchObject({ reason: "ORIGIN_IN_USE" });
    expect(await admin.removeClientReturnUrl(id, "https://new.example/r")).toMatchObject({ outcome: "applied" });
    expect(await admin.removeClientOrigin(id, "https://new.example")).toMatchObject({ outcome: "applied" });
    expect(await admin.removeClientPreviewReturnPath(id, "/new")).toMatchObject({ outcome: "applied" });
    expect(await admin.removeClientOrigin(id, "https://new.example")).toMatchObject({ outcome: "already" });
    const { webOrigins } = await reader.client(id);
    await expect(admin.removeClientOrigin(id, webOrigins[0] ?? "")).rejects.toMatchObject({ reason: "LAST_ORIGIN" });
  });

  test("whose response is lost is found applied and is in the audit log once", async () => {
    const lossy = writer({ fetch: losing("after") });
    const before = (await auditOf(id)).length;
    expect(await lossy.addClientOrigin(id, "https://lost.example")).toMatchObject({ outcome: "applied" });
    expect(await auditOf(id)).toHaveLength(before + 1);
  });

  test("that never arrived has an unknown result, leaves the client unchanged and is not sent again", async () => {
    const lossy = writer({ fetch: losing("before") });
    const before = await reader.client(id);
    const result = await lossy.addClientOrigin(id, "https://lost.example");
    expect(result).toMatchObject({ outcome: "unknown", client: before });
    expect(await reader.client(id)).toEqual(before);
  });

  test("that meets a locked row is retried and then applied", async () => {
    const holder = await service.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM application WHERE id = $1 FOR UPDATE", [id]);
    const retried: string[] = [];
    // The row is unlocked after the first rejection, so that the second request succeeds.
    const onRetry = async ({ code }: { readonly code: string }) => {
      retried.push(code);
      await holder.query("ROLLBACK");
      holder.release();
    };
    const patient = writer({ hooks: { onRetry } });
    expect(await patient.setClientDisplayName(id, "Busy no longer")).toMatchObject({ outcome: "applied" });
    expect(retried).toEqual(["CONFLICT"]);
  });
});

describe("a client of the SDK", () => {
  test("creates a client once and returns the existing one on a repeat", async () => {
    const input = {
      slug: `created-${count}`,
      displayName: "Created",
      webOrigins: ["https://created.example"],
      returnUrls: ["https://created.example/r"],
      tenantKeys: ["tenant-1"],
      providers: ["PROVIDER_A"],
      capabilities: ["PROFILE"],
      ...CONFIRMED,
    } as const;
    expect(await admin.createClient(input)).toMatchObject({ outcome: "applied", client: { slug: input.slug } });
    expect(await admin.createClient(input)).toMatchObject({ outcome: "already", client: { slug: input.slug } });
    const other = admin.createClient({ ...input, displayName: "Other" });
    await expect(other).rejects.toMatchObject({ code: "CONFLICT", reason: "SLUG_TAKEN" });
  });

  test("reads everything that a READ key may read, over pages of any size", async () => {
    const slugs: string[] = [];
    for await (const client of reader.clients({ pageSize: 2 })) slugs.push(client.slug);
    expect(slugs).toHaveLength(await service.prisma.application.count());
    expect(slugs).toEqual(slugs.toSorted());
    expect(await reader.findClient(`client-${count}`)).toMatchObject({ id });
    expect(await reader.findClient("nobody")).toBeUndefined();
    expect(await reader.members()).toHaveLength(1);
    expect(await reader.registrations()).toEqual([]);
    const unavailable = { provider: "PROVIDER_A", available: false, reason: "NO_REGISTRATION" };
    expect(await reader.providerAvailability()).toContainEqual(unavailable);
    expect(await reader.previewTemplate()).toEqual({
      template: service.previewOriginTemplate,
      allowsLoopbackHttp: true,
    });
    await expect(reader.client(crypto.randomUUID())).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("iterates over the audit log of one key", async () => {
    // The log is ordered by time, so the clock has to advance.
    service.clock.advance(1_000);
    await admin.setClientEnabled(id, false);
    service.clock.advance(1_000);
    await admin.setClientEnabled(id, true);
    const actions: string[] = [];
    for await (const entry of reader.audit({ apiKeyId: writeKey.id, pageSize: 1 })) {
      expect(entry).toMatchObject({ apiKeyId: writeKey.id, actor: `Via API key ${writeKey.id.slice(0, 8)}` });
      actions.push(entry.action);
    }
    expect(actions.slice(0, 2)).toEqual(["Client enabled", "Client disabled"]);
    expect(actions).toContain("API key first used");
    expect(actions).not.toContain("API key minted");
  });

  test("with a READ key configured as WRITE reports that the key is read-only", async () => {
    const claiming = createAdmin({ host: server.url, key: readKey.key, scope: "WRITE" });
    const refused = claiming.setClientDisplayName(id, "Mine");
    await expect(refused).rejects.toMatchObject({ name: "ForbiddenError", reason: "API_KEY_READ_ONLY" });
  });

  test("with a revoked key, or at another host, reports the cause", async () => {
    const doomed = await createApiKey(service, await createAdminMember(service), "READ");
    const client = createAdmin({ host: server.url, key: doomed.key, scope: "READ" });
    expect(await client.client(id)).toMatchObject({ id });
    const revokedAt = service.clock.current;
    await service.prisma.adminApiKey.update({ where: { id: doomed.id }, data: { revokedAt } });
    await expect(client.client(id)).rejects.toMatchObject({ name: "UnauthenticatedError" });
    const host = server.url.replace("127.0.0.1", "localhost");
    const elsewhere = createAdmin({ host, key: readKey.key, scope: "READ" });
    await expect(elsewhere.client(id)).rejects.toMatchObject({ name: "ForbiddenError" });
  });
});

describe("a plan", () => {
  test("applies a declaration through the service's rules, after which there is nothing to do", async () => {
    const slug = `client-${count}`;
    const declaration: ClientDeclaration = {
      slug,
      displayName: "Moved",
      enabled: true,
      webOrigins: ["https://shop.example", "https://moved.example"],
      returnUrls: [{ url: "https://moved.example/r", ...CONFIRMED }],
      tenantKeys: ["tenant-2", "tenant-9"],
      providers: ["PROVIDER_B"],
      capabilities: ["PROFILE", "CONTENT_LIST"],
      previewOriginsEnabled: true,
      previewReturnPaths: ["/r"],
    };
    const plan = await reader.plan(declaration);
    const result = await admin.apply(plan, { allowDestructive: true });
    expect(result.steps.filter(({ outcome }) => outcome !== "applied")).toEqual([]);
    expect(result.complete).toBe(true);
    expect((await reader.plan(declaration)).steps).toEqual([]);
    expect(await admin.apply(plan, { allowDestructive: true })).toMatchObject({ complete: true });
  });

  test("is stale once an admin has changed the client in the meantime", async () => {
    const plan = await reader.plan({ slug: `client-${count}`, displayName: "Planned" });
    await admin.addClientTenantKey(id, "in-between");
    await expect(admin.apply(plan)).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(await reader.client(id)).toMatchObject({ displayName: `client-${count}` });
  });

  test("reports that an identity return URL, which only the panel changes, uses the origin", async () => {
    const plan = await reader.plan({
      slug: `client-${count}`,
      webOrigins: ["https://elsewhere.example"],
      returnUrls: [{ url: "https://elsewhere.example/r", ...CONFIRMED }],
    });
    expect(plan.obstacles).toEqual([expect.stringContaining("https://shop.example/signed-in")]);
  });
});

describe("event endpoints of a declaration", () => {
  const URL_OF_EVENTS = "https://shop.example/events";
  const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
  const declare = (eventEndpoints?: ClientDeclaration["eventEndpoints"]): ClientDeclaration => ({
    slug: `client-${count}`,
    ...(eventEndpoints && { eventEndpoints }),
  });
  const endpoint = { url: URL_OF_EVENTS, types: ["job.failed"], secretFrom: "SHOP_EVENT_SECRET" } as const;
  const stored = () => service.prisma.eventEndpoint.findMany({ where: { applicationId: id } });

  test("are added, changed, rotated and removed, and no plan or result has a secret", async () => {
    const eventSecrets = { SHOP_EVENT_SECRET: newSecret() };
    const plan = await reader.plan(declare([endpoint]), { eventSecrets });
    expect(describePlan(plan)).toContain(
      `+  event endpoint      ${URL_OF_EVENTS}: job.failed, secret of SHOP_EVENT_SECRET`,
    );
    const result = await admin.apply(parsePlan(JSON.stringify(plan)), { eventSecrets });
    expect(result).toMatchObject({ complete: true, steps: [{ outcome: "applied" }] });
    expect(await stored()).toMatchObject([{ url: URL_OF_EVENTS, types: ["job.failed"] }]);
    expect((await admin.plan(declare([endpoint]), { eventSecrets })).steps).toEqual([]);
    expect((await admin.plan(declare([endpoint]))).steps).toEqual([]);
    expect(await admin.apply(plan, { eventSecrets })).toMatchObject({
      complete: true,
      steps: [{ outcome: "already" }],
    });

    const next = { SHOP_EVENT_SECRET: newSecret() };
    const change = await admin.plan(declare([{ ...endpoint, types: [] }]), { eventSecrets: next });
    expect(describePlan(change)).toMatch(
      /~ {2}event types .+: job\.failed → all types\n.+~ {2}event secret .+: that of SHOP_/,
    );
    expect((await admin.apply(change, { eventSecrets: next })).complete).toBe(true);
    expect(await stored()).toMatchObject([{ types: [], previousSecretUntil: expect.any(Date) }]);

    const removal = await admin.plan(declare([]));
    expect(isDestructive(removal)).toBe(true);
    await expect(admin.apply(removal)).rejects.toThrow("destructive");
    expect((await admin.apply(removal, { allowDestructive: true })).complete).toBe(true);
    expect(await stored()).toEqual([]);
    expect(JSON.stringify([plan, result, change])).not.toContain("whsec_");
  });

  test("are not managed by a file without them", async () => {
    await createEventEndpoint(service, { id });
    expect((await admin.plan(declare())).steps).toEqual([]);
  });

  test("a plan for another state, without its secret, or with a wrong one changes nothing", async () => {
    const eventSecrets = { SHOP_EVENT_SECRET: newSecret() };
    const plan = await admin.plan(declare([endpoint]), { eventSecrets });
    await expect(admin.apply(plan)).rejects.toThrow("The secret SHOP_EVENT_SECRET of an event endpoint is not given.");
    const wrong = { eventSecrets: { SHOP_EVENT_SECRET: "whsec_c2hvcnQ=" } };
    await expect(admin.plan(declare([endpoint]), wrong)).rejects.toThrow(
      /eventEndpoints\[0\]\.secretFrom: names a wrong value/,
    );
    await createEventEndpoint(service, { id });
    const result = await admin.apply(plan, { eventSecrets });
    expect(result).toMatchObject({ complete: false, stoppedBy: "failed", steps: [{ error: { code: "PLAN_STALE" } }] });
    expect(await stored()).toHaveLength(1);
  });

  test("a READ key plans only", async () => {
    await expect(reader.plan(declare([endpoint]))).resolves.toMatchObject({
      steps: [{ operation: "setEventEndpoints" }],
    });
    const readOnly = createAdmin({ host: server.url, key: readKey.key, scope: "WRITE" });
    const eventSecrets = { SHOP_EVENT_SECRET: newSecret() };
    const result = await readOnly.apply(await readOnly.plan(declare([endpoint])), { eventSecrets });
    expect(result).toMatchObject({
      complete: false,
      steps: [{ error: { code: "FORBIDDEN", reason: "API_KEY_READ_ONLY" } }],
    });
  });
});
