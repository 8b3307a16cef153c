import { beforeAll, describe, expect, test } from "vitest";
import {
  type AdminServer,
  adminQuery,
  server,
  signInToPanel,
  startAdminServer,
  useAdminServer,
} from "../../http/testing/adminServer.ts";
import { sendBytes } from "../../http/testing/sendBytes.ts";
import { bearer, post } from "../../http/testing/testServer.ts";
import { createAdminMember, createApiKey } from "../../modules/testing/admins.ts";
import { createApplication, ORIGIN, RETURN_URL } from "../../modules/testing/builders.ts";
import { service } from "../../modules/testing/fixtures.ts";
import { whileLocked } from "../../modules/testing/outcomes.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { recordingLogger } from "../../platform/testing/recordingLogger.ts";

useAdminServer();

const MINUTE = 60_000;
const TEMPLATE = "{ previewTemplate { template } }";
let readKey: string;
let writeKey: string;
let clientId: string;

beforeAll(async () => {
  const member = await createAdminMember(service);
  readKey = (await createApiKey(service, member, "READ")).key;
  writeKey = (await createApiKey(service, member, "WRITE")).key;
  clientId = (await createApplication(service)).id;
});

/** Raw headers, including duplicates, which fetch would not send. */
async function raw(at: AdminServer, headers: readonly string[]) {
  const body = JSON.stringify({ query: TEMPLATE });
  const { host } = new URL(at.url);
  const own = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${host}`];
  const lines = [
    "POST /api/admin/graphql HTTP/1.1",
    ...own,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...headers,
  ];
  const text = await sendBytes(at.url, `${lines.join("\r\n")}\r\n\r\n${body}`);
  const { code = null, reason = null } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}").errors?.[0]?.extensions ?? {};
  return { status: Number(text.slice(9, 12)), code, reason };
}

test("a response is JSON, which is not stored", async () => {
  const body = JSON.stringify({ query: TEMPLATE });
  const headers = { ...bearer(readKey), "content-type": "application/json" };
  const answered = await fetch(`${server.url}/api/admin/graphql`, { method: "POST", headers, body });
  expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answered.headers.get("cache-control")).toBe("no-store");
});

describe("a request over a wrong transport is FORBIDDEN", () => {
  const auth = () => `Authorization: Bearer ${readKey}`;
  const FORBIDDEN = { status: 200, code: "FORBIDDEN", reason: null };
  const GOOD = { status: 200, code: null, reason: null };

  test("with two Authorization headers, with a cookie, to another host", async () => {
    expect(await raw(server, [auth()])).toEqual(GOOD);
    for (const second of [auth(), "Authorization: Basic eDp5", "Cookie: a=b", "Cookie:"]) {
      expect(await raw(server, [auth(), second])).toEqual(FORBIDDEN);
    }
    const { port } = new URL(server.url);
    for (const host of ["evil.example", `localhost:${port}`, "127.0.0.1", `127.0.0.1:${port}.evil.example`]) {
      expect(await raw(server, [auth(), `Host: ${host}`])).toEqual(FORBIDDEN);
    }
  });

  test("with a forwarding header from any address but a trusted proxy", async () => {
    for (const forged of [
      "X-Forwarded-Proto: https",
      "X-Forwarded-Host: admin.example",
      "X-Forwarded-For: 10.0.0.1",
      "Forwarded: proto=https",
    ]) {
      expect(await raw(server, [auth(), forged])).toEqual(FORBIDDEN);
    }
  });

  test("over plain HTTP, unless a trusted proxy received it over HTTPS", async () => {
    const adminHost = "https://admin.example";
    const [strict, proxied] = [
      await startAdminServer(service, { adminHost }),
      await startAdminServer(service, { adminHost, trustedProxies: ["127.0.0.1"] }),
    ];
    const send = (at: AdminServer, ...schemes: string[]) =>
      raw(at, [auth(), "Host: admin.example", ...schemes.map((scheme) => `X-Forwarded-Proto: ${scheme}`)]);
    expect(await send(strict)).toEqual(FORBIDDEN);
    expect(await send(strict, "https")).toEqual(FORBIDDEN);
    expect(await send(proxied, "https")).toEqual(GOOD);
    for (const schemes of [["http"], ["https, http"], ["https", "http"], []]) {
      expect(await send(proxied, ...schemes)).toEqual(FORBIDDEN);
    }
    await Promise.all([strict.close(), proxied.close()]);
  });

  test("whether or not its key is valid", async () => {
    expect(await raw(server, ["Authorization: Bearer nonsense", "Cookie: a=b"])).toEqual(FORBIDDEN);
    expect(await raw(server, ["Authorization: Bearer nonsense"])).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await raw(server, [])).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

test("a GET returns 405, and neither an Origin nor a CSRF token is required", async () => {
  const got = await fetch(`${server.url}/api/admin/graphql?query=${encodeURIComponent(TEMPLATE)}`);
  expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  const headers = { ...bearer(readKey), origin: "https://anywhere.example" };
  const crossOrigin = await post(`${server.url}/api/admin/graphql`, { query: TEMPLATE }, headers);
  expect(crossOrigin.errors).toEqual([]);
});

describe("the document is checked as a whole before anything runs", () => {
  const CLIENT = "adminClient(id: $id) { id }";
  const KEYS = "apiKeys { items { id } }";
  const NEW_ORIGIN = `addClientOrigin(id: $id, origin: "https://never.example") { id }`;
  const REVOKE = "revokeApiKey(id: $id) { __typename }";
  const MINT = `mintApiKey(label: "x", scope: WRITE, lifetimeDays: 1) @include(if: false) { __typename }`;

  test.each([
    ["beside a valid field", `query($id: ID!) { ${CLIENT} ${KEYS} }`],
    ["under @include(if: false)", `query($id: ID!) { ${CLIENT} apiKeys @include(if: false) { items { id } } }`],
    ["under @skip(if: true)", `query($id: ID!) { ${CLIENT} ... @skip(if: true) { ${KEYS} } }`],
    ["under an alias", `query($id: ID!) { ${CLIENT} adminMembers: ${KEYS} }`],
    [
      "in a fragment",
      `query($id: ID!) { ${CLIENT} ...F } fragment F on Query { ...G } fragment G on Query { ${KEYS} }`,
    ],
    ["in an inline fragment", `query($id: ID!) { ${CLIENT} ... on Query { ... { ${KEYS} } } }`],
    ["in a mutation, before a valid field", `mutation($id: ID!) { ${REVOKE} ${NEW_ORIGIN} }`],
    ["in a mutation, after a valid field", `mutation($id: ID!) { ${NEW_ORIGIN} m: ${MINT} }`],
  ])("a panel field %s is PANEL_ONLY, and nothing ran", async (_, document) => {
    const changes = () => service.prisma.auditEntry.count({ where: { action: { not: "API key first used" } } });
    const before = await changes();
    for (const key of [readKey, writeKey]) {
      const answer = await adminQuery(server, key, document, { id: clientId });
      expect(answer).toMatchObject({ status: 200, data: null, code: "FORBIDDEN", reason: "PANEL_ONLY" });
    }
    expect(await changes()).toBe(before);
    const client = await service.prisma.application.findUniqueOrThrow({ where: { id: clientId } });
    expect(client.webOrigins).not.toContain("https://never.example");
  });

  test("a READ key that sends mutations is rejected as read-only, and fifty concurrent first uses leave one 'first used' entry", async () => {
    const { id, key } = await createApiKey(service, await createAdminMember(service), "READ");
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        adminQuery(server, key, `mutation($id: ID!) { ${NEW_ORIGIN} }`, { id: clientId }),
      ),
    );
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(new Set(["API_KEY_READ_ONLY"]));
    const entries = await service.prisma.auditEntry.findMany({ where: { apiKeyId: id } });
    expect(entries.map(({ action }) => action)).toEqual(["API key first used"]);
    expect((await adminQuery(server, key, "mutation { __typename }")).reason).toBe("API_KEY_READ_ONLY");
    expect((await adminQuery(server, key, "{ __typename }")).errors).toEqual([]);
  });
});

describe("bad input", () => {
  const GENERIC = "The request is not valid.";
  const returnUrl = (url: string, isConfirmed: boolean) =>
    `addClientReturnUrl(id: $id, url: "${url}", confirmedNoOnwardRedirect: ${isConfirmed}) { id }`;

  test.each([
    ["an unknown field", "{ adminClientz { id } }", {}],
    ["a wrong type", "query($id: ID!) { adminClient(id: $id) { id } }", { id: { no: 1 } }],
    ["a missing variable", "query($id: ID!) { adminClient(id: $id) { id } }", {}],
    ["a truncated document", "{ adminClients {", {}],
    ["two operations", "query A { __typename } query B { __typename }", {}],
    ["nine aliases", `{ ${Array.from({ length: 9 }, (_, i) => `a${i}: __typename`).join(" ")} }`, {}],
    ["a cycle of fragments", "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }", {}],
    ["sixty thousand brackets", "[".repeat(60_000), {}],
    ["a selection sixteen thousand deep", "{a".repeat(16_000), {}],
    ["an unknown enum value", "mutation { createClient(input: { providers: [PROVIDER_Z] }) { id } }", {}],
  ])("an invalid document, %s, is 400 and names no field", async (_, document, variables) => {
    const answer = await adminQuery(server, writeKey, document, variables);
    expect(answer).toMatchObject({ status: 400, data: null, code: "BAD_USER_INPUT" });
    expect(answer.errors[0]?.message).toBe(GENERIC);
    expect(answer.errors[0]?.extensions["correlationId"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("introspection is refused as such", async () => {
    const answer = await adminQuery(server, writeKey, "{ __schema { types { name } } }");
    expect(answer).toMatchObject({ status: 400, data: null, code: "BAD_USER_INPUT" });
    expect(answer.errors[0]?.message).toMatch(/^Introspection is disabled\./);
  });

  test.each([
    ["an invalid origin", `addClientOrigin(id: $id, origin: "shop.example") { id }`],
    ["a return URL with a fragment", returnUrl("https://shop.example/#x", true)],
    ["no confirmation", returnUrl("https://shop.example/y", false)],
    ["a NUL", `setClientDisplayName(id: $id, displayName: "a\\u0000b") { id }`],
    ["a duplicate capability", `setClientPolicy(id: $id, providers: [], capabilities: [PROFILE, PROFILE]) { id }`],
  ])("an invalid argument, %s, names no field either", async (_, field) => {
    const answer = await adminQuery(server, writeKey, `mutation($id: ID!) { ${field} }`, { id: clientId });
    expect(answer).toMatchObject({ status: 200, code: "BAD_USER_INPUT" });
    expect(answer.errors[0]?.message).toBe(GENERIC);
    expect(answer.errors[0]?.extensions).not.toHaveProperty("field");
  });

  test.each([
    ["first: 0", "BAD_USER_INPUT"],
    ["first: 101", "BAD_USER_INPUT"],
    ['after: "nonsense"', "BAD_USER_INPUT"],
    ["first: 100", undefined],
    ['apiKeyId: "nonsense"', undefined],
  ])("page arguments %s: %s", async (args, code) => {
    const answer = await adminQuery(server, readKey, `{ adminAuditEntries(${args}) { items { id } } }`);
    expect(answer.code).toBe(code);
  });

  test("an invalid body: a batch, a form, empty, too large", async () => {
    const address = `${server.url}/api/admin/graphql`;
    const send = (body: string, type = "application/json") =>
      post(address, body, { ...bearer(readKey), "content-type": type });
    for (const [body, type] of [
      [JSON.stringify([{ query: TEMPLATE }])],
      [JSON.stringify({ query: TEMPLATE }), "text/plain"],
      [`query=${encodeURIComponent(TEMPLATE)}`, "application/x-www-form-urlencoded"],
      ["{}"],
      ["nonsense"],
    ] as const) {
      expect(await send(body, type)).toMatchObject({ status: 400, code: "BAD_USER_INPUT" });
    }
    const filled = (bytes: number) => JSON.stringify({ query: TEMPLATE }).padEnd(bytes, " ");
    expect((await send(filled(65_536))).status).toBe(200);
    const tooLarge = await send(filled(65_537));
    expect([tooLarge.status, tooLarge.text]).toEqual([413, ""]);
  });
});

const HASH_ONLY = { extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } } };
test.each([
  HASH_ONLY,
  { query: null, ...HASH_ONLY, variables: {} },
  { query: "", ...HASH_ONLY },
  { documentId: "a".repeat(64) },
])("a request with only a hash is UPSTREAM_UNAVAILABLE: %j", async (body) => {
  const answer = await post(`${server.url}/api/admin/graphql`, body, bearer(readKey));
  expect(answer).toMatchObject({ status: 200, code: "UPSTREAM_UNAVAILABLE", data: null });
});

test("a document sent with its hash runs", async () => {
  const body = { query: TEMPLATE, ...HASH_ONLY };
  const answer = await post(`${server.url}/api/admin/graphql`, body, bearer(readKey));
  expect(answer.data.previewTemplate.template).toBe("https://{label}.preview.example.app");
});

test("CONFLICT and NOT_FOUND errors have a code and a reason", async () => {
  const { id } = await createApplication(service, "conflicts");
  const change = (field: string) => adminQuery(server, writeKey, `mutation($id: ID!) { ${field} { id } }`, { id });
  const conflict = (reason: string) => ({ status: 200, code: "CONFLICT", reason });
  const [add, remove] = [
    `addClientOrigin(id: $id, origin: "${ORIGIN}")`,
    `removeClientOrigin(id: $id, origin: "${ORIGIN}")`,
  ];
  expect(await change(remove)).toMatchObject(conflict("LAST_ORIGIN"));
  expect(await change(add)).toMatchObject(conflict("ALREADY_PRESENT"));
  await change(`addClientOrigin(id: $id, origin: "https://other.example")`);
  expect(await change(remove)).toMatchObject(conflict("ORIGIN_IN_USE"));
  expect(await change(`removeClientReturnUrl(id: $id, url: "${RETURN_URL}")`)).toMatchObject(
    conflict("LAST_RETURN_URL"),
  );
  const missing = await adminQuery(server, readKey, `{ adminClient(id: "${crypto.randomUUID()}") { id } }`);
  expect(missing).toMatchObject({ status: 200, code: "NOT_FOUND", data: { adminClient: null } });
});

test("a locked row is CONFLICT with ROW_BUSY within a few seconds", async () => {
  const { id } = await createApplication(service, "busy");
  const document = "mutation($id: ID!) { setClientEnabled(id: $id, enabled: false) { id } }";
  const answer = await whileLocked(service, "SELECT 1 FROM application WHERE id = $1 FOR UPDATE", [id], () =>
    adminQuery(server, writeKey, document, { id }),
  );
  expect(answer).toMatchObject({ code: "CONFLICT", reason: "ROW_BUSY" });
});

test("an unexpected failure is UPSTREAM_UNAVAILABLE and reveals no internals", async () => {
  const broken = await startAdminServer({ ...service, prisma: null } as unknown as TestService);
  const answer = await adminQuery(broken, readKey, "{ adminMembers { id } }");
  await broken.close();
  expect(answer).toMatchObject({ status: 200, data: { adminMembers: null }, code: "UPSTREAM_UNAVAILABLE" });
  expect(JSON.stringify(answer)).not.toMatch(/prisma|TypeError|stack|null \(/);
});

test("no response and no log line contains a key or a secret argument", async () => {
  const { logger, lines } = recordingLogger("debug");
  const watched = await startAdminServer({ ...service, logger });
  const secret = "f".repeat(64);
  const { id, key } = await createApiKey(service, await createAdminMember(service), "WRITE");
  const document = "mutation($id: ID!, $origin: String!) { addClientOrigin(id: $id, origin: $origin) { id } }";
  const answers = [
    await adminQuery(watched, `scadm_${id}.${secret}`, document, { id: clientId, origin: secret }),
    await adminQuery(watched, key, document, { id: clientId, origin: secret }),
    await adminQuery(watched, key, `{ nonsense(secret: "${secret}") }`),
    await adminQuery(watched, key, "query($id: ID!) { adminClient(id: $id) { id } }", { id: { secret } }),
  ];
  await watched.close();
  expect(answers.map(({ code }) => code)).toEqual(["UNAUTHENTICATED", ...Array(3).fill("BAD_USER_INPUT")]);
  const logged = lines.join("");
  expect(logged).toContain("admin operation failed");
  for (const text of [logged, JSON.stringify(answers)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(key.split(".")[1]);
  }
});

test("a page that refreshes itself does not extend its session, an admin's own calls do", async () => {
  const member = await createAdminMember(service);
  const [attended, unattended] = [await signInToPanel(server, member), await signInToPanel(server, member)];
  const answers = async () => [
    (await attended.query(TEMPLATE)).code ?? null,
    (await unattended.query(TEMPLATE, {}, { "x-unattended": "1" })).code ?? null,
  ];
  service.clock.advance(40 * MINUTE);
  expect(await answers()).toEqual([null, null]);
  service.clock.advance(21 * MINUTE);
  expect(await answers()).toEqual([null, "UNAUTHENTICATED"]);
});
