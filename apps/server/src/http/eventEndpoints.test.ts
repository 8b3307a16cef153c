import { randomBytes } from "node:crypto";
import { eventSecretFingerprint } from "@social-connect/domain";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { AdminMember } from "../_generated/prisma/client.ts";
import { openEventSecrets } from "../modules/events/eventSecret.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { service } from "../modules/testing/fixtures.ts";
import { createEventEndpoint } from "../modules/testing/rows.ts";
import { server, useAdminServer } from "./testing/adminServer.ts";

useAdminServer();

const URL_OF_EVENTS = "https://shop.example/events";
const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString("base64")}`;
let member: AdminMember;
let keys: Record<"READ" | "WRITE", string>;
let client: string;
let applicationId: string;
let count = 0;

beforeAll(async () => {
  member = await createAdminMember(service);
  const [read, write] = await Promise.all([
    createApiKey(service, member, "READ"),
    createApiKey(service, member, "WRITE"),
  ]);
  keys = { READ: read.key, WRITE: write.key };
});
beforeEach(async () => {
  client = `declared-${++count}`;
  applicationId = (await createApplication(service, client)).id;
});

async function call(key: string | null, body: unknown, init: RequestInit = {}) {
  const response = await fetch(`${server.url}/api/admin/event-endpoints`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== null && { authorization: `Bearer ${key}` }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
  const text = await response.text();
  const { data, errors: [error] = [] } = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: response.status, text, endpoints: data?.eventEndpoints, code: error?.extensions.code, error };
}
const set = (endpoints: unknown, key = keys.WRITE) => call(key, { client, endpoints });
const stored = () =>
  service.prisma.eventEndpoint.findMany({ where: { applicationId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
const actions = async () => {
  const entries = await service.prisma.auditEntry.findMany({ where: { clientSlug: client }, orderBy: { id: "asc" } });
  return entries.map(({ action, actor }) => [action, actor.replace(/ [0-9a-f]{8}$/, "")]);
};

test("a WRITE key makes the endpoints those of a list, and no response has a secret", async () => {
  const secret = newSecret();
  const created = await set([{ url: URL_OF_EVENTS, types: ["job.failed"], secret }]);
  const endpoint = { url: URL_OF_EVENTS, types: ["job.failed"], enabled: true };
  const secretFingerprint = await eventSecretFingerprint(secret);
  expect(created).toMatchObject({ status: 200, endpoints: [{ ...endpoint, secretFingerprint }] });
  expect(await call(keys.READ, { client })).toMatchObject({ endpoints: created.endpoints });
  expect((await set([{ url: URL_OF_EVENTS, types: ["job.failed"], secret }])).endpoints).toEqual(created.endpoints);
  const [first] = await stored();

  const next = newSecret();
  const rotated = await set([{ url: URL_OF_EVENTS, secret: next }]);
  expect(rotated.endpoints).toEqual([
    { ...endpoint, types: [], secretFingerprint: await eventSecretFingerprint(next) },
  ]);
  const [second] = await stored();
  expect(second?.id).toBe(first?.id);
  const valid = second === undefined ? [] : openEventSecrets(service.secretBox, second, service.clock.current);
  expect(valid.map((one) => one.reveal())).toEqual([next, secret]);

  const other = { url: "https://other.example/events", secret: newSecret() };
  expect((await set([other])).endpoints).toMatchObject([{ url: other.url }]);
  expect((await set([])).endpoints).toEqual([]);
  expect(await actions()).toEqual(
    [
      "Event endpoint added",
      "Event endpoint changed",
      "Event secret rotated",
      "Event endpoint removed",
      "Event endpoint added",
      "Event endpoint removed",
    ].map((action) => [action, "Via API key"]),
  );
  expect(`${created.text}${rotated.text}`).not.toContain("whsec_");
});

test("a READ key reads only, and without a key nothing is answered", async () => {
  await createEventEndpoint(service, { id: applicationId }, { url: URL_OF_EVENTS });
  expect(await call(keys.READ, { client })).toMatchObject({ endpoints: [{ url: URL_OF_EVENTS, enabled: true }] });
  const refused = await set([], keys.READ);
  expect(refused).toMatchObject({ status: 200, code: "FORBIDDEN", endpoints: undefined });
  expect(refused.error.extensions.reason).toBe("API_KEY_READ_ONLY");
  for (const key of [null, `${keys.WRITE.slice(0, -1)}x`])
    expect(await call(key, { client })).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(
    await call(keys.WRITE, { client }, { headers: { cookie: "a=b", authorization: `Bearer ${keys.WRITE}` } }),
  ).toMatchObject({
    code: "FORBIDDEN",
  });
  expect(await call(null, undefined, { method: "GET" })).toMatchObject({ status: 405 });
  expect(await stored()).toHaveLength(1);
});

test.each([
  ["an unknown client", () => ({ client: "nobody", endpoints: [] }), "NOT_FOUND"],
  ["no client", () => ({ endpoints: [] }), "BAD_USER_INPUT"],
  ["an unknown field", () => ({ client, endpoint: [] }), "BAD_USER_INPUT"],
  ["no JSON", () => "{", "BAD_USER_INPUT"],
  ["a new endpoint without a secret", () => ({ client, endpoints: [{ url: URL_OF_EVENTS }] }), "BAD_USER_INPUT"],
  ["a short secret", () => ({ client, endpoints: [{ url: URL_OF_EVENTS, secret: newSecret(23) }] }), "BAD_USER_INPUT"],
  ["a long secret", () => ({ client, endpoints: [{ url: URL_OF_EVENTS, secret: newSecret(65) }] }), "BAD_USER_INPUT"],
  [
    "plain http",
    () => ({ client, endpoints: [{ url: "http://shop.example", secret: newSecret() }] }),
    "BAD_USER_INPUT",
  ],
  [
    "three endpoints, of which none is added",
    () => ({ client, endpoints: [1, 2, 3].map((n) => ({ url: `${URL_OF_EVENTS}/${n}`, secret: newSecret() })) }),
    "CONFLICT",
  ],
])("rejects %s", async (_, bodyOf, code) => {
  expect(await call(keys.WRITE, bodyOf())).toMatchObject({ status: 200, code });
  expect(await stored()).toEqual([]);
  expect(await actions()).toEqual([]);
});

test("a body above the limit is refused before it is read completely", async () => {
  expect(await call(keys.WRITE, "x".repeat(70_000))).toMatchObject({ status: 413, text: "" });
});

test("an endpoint keeps its secret when none is given", async () => {
  const secret = newSecret(24);
  await set([{ url: URL_OF_EVENTS, secret }]);
  const { endpoints } = await set([{ url: URL_OF_EVENTS, types: ["connect.completed"] }]);
  expect(endpoints).toMatchObject([
    { types: ["connect.completed"], secretFingerprint: await eventSecretFingerprint(secret) },
  ]);
});
