import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminServer } from "../../http/testing/adminServer.ts";
import { adminQuery, post, startAdminServer } from "../../http/testing/adminServer.ts";
import { createAdminMember, createApiKey } from "../../modules/testing/admins.ts";
import { createApplication } from "../../modules/testing/builders.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { startTestService } from "../../modules/testing/testService.ts";
import { createLogger } from "../../platform/logger.ts";

const TEMPLATE = "{ previewTemplate { template } }";
let service: TestService;
let server: AdminServer;
let readKey: string;
let writeKey: string;
let clientId: string;

beforeAll(async () => {
  service = await startTestService();
  server = await startAdminServer(service);
  const member = await createAdminMember(service);
  readKey = (await createApiKey(service, member, "READ")).key;
  writeKey = (await createApiKey(service, member, "WRITE")).key;
  clientId = (await createApplication(service)).id;
});
afterAll(async () => {
  await server.close();
  await service.close();
});

interface RawAnswer {
  readonly status: number;
  readonly code: unknown;
  readonly reason: unknown;
}

/** Raw headers, including duplicates, which fetch would not send. */
function raw(
  at: AdminServer,
  headers: readonly string[],
  body = JSON.stringify({ query: TEMPLATE }),
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(at.url);
  const own = headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${host}`];
  const lines = [
    "POST /api/admin/graphql HTTP/1.1",
    ...own,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const json = /\{.*\}/s.exec(text)?.[0];
      const extensions = json === undefined ? {} : JSON.parse(json).errors?.[0]?.extensions;
      resolve({
        status: Number(text.slice(9, 12)),
        code: extensions?.code ?? null,
        reason: extensions?.reason ?? null,
      });
    });
  });
}

describe("a request over a wrong transport is FORBIDDEN", () => {
  const auth = () => `Authorization: Bearer ${readKey}`;
  const FORBIDDEN = { status: 200, code: "FORBIDDEN", reason: null };
  const GOOD = { status: 200, code: null, reason: null };

  test("with two Authorization headers, with a cookie, to another host", async () => {
    expect(await raw(server, [auth()])).toEqual(GOOD);
    expect(await raw(server, [auth(), auth()])).toEqual(FORBIDDEN);
    expect(await raw(server, [auth(), "Authorization: Basic eDp5"])).toEqual(FORBIDDEN);
    expect(await raw(server, [auth(), "Cookie: a=b"])).toEqual(FORBIDDEN);
    expect(await raw(server, [auth(), "Cookie:"])).toEqual(FORBIDDEN);
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
    const host = "Host: admin.example";
    expect(await raw(strict, [auth(), host])).toEqual(FORBIDDEN);
    expect(await raw(strict, [auth(), host, "X-Forwarded-Proto: https"])).toEqual(FORBIDDEN);
    expect(await raw(proxied, [auth(), host, "X-Forwarded-Proto: https"])).toEqual(GOOD);
    expect(await raw(proxied, [auth(), host, "X-Forwarded-Proto: http"])).toEqual(FORBIDDEN);
    expect(await raw(proxied, [auth(), host, "X-Forwarded-Proto: https, http"])).toEqual(FORBIDDEN);
    expect(await raw(proxied, [auth(), host, "X-Forwarded-Proto: https", "X-Forwarded-Proto: http"])).toEqual(
      FORBIDDEN,
    );
    expect(await raw(proxied, [auth(), host])).toEqual(FORBIDDEN);
    await Promise.all([strict.close(), proxied.close()]);
  });

  test("whether or not its key is valid", async () => {
    expect(await raw(server, ["Authorization: Bearer nonsense", "Cookie: a=b"])).toEqual(FORBIDDEN);
    expect(await raw(server, ["Authorization: Bearer nonsense"])).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await raw(server, [])).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

test("a GET returns 404, and neither an Origin nor a CSRF token is required", async () => {
  const got = await fetch(`${server.url}/api/admin/graphql?query=${encodeURIComponent(TEMPLATE)}`);
  expect(got.status).toBe(404);
  const crossOrigin = await post(
    `${server.url}/api/admin/graphql`,
    { query: TEMPLATE },
    { authorization: `Bearer ${readKey}`, origin: "https://anywhere.example" },
  );
  expect(crossOrigin.errors).toEqual([]);
});

describe("the document is checked as a whole before anything runs", () => {
  const NEW_ORIGIN = `addClientOrigin(id: $id, origin: "https://never.example") { id }`;

  test.each([
    ["beside a valid field", `query($id: ID!) { adminClient(id: $id) { id } apiKeys { items { id } } }`],
    [
      "under @include(if: false)",
      `query($id: ID!) { adminClient(id: $id) { id } apiKeys @include(if: false) { items { id } } }`,
    ],
    [
      "under @skip(if: true)",
      `query($id: ID!) { adminClient(id: $id) { id } ... @skip(if: true) { apiKeys { items { id } } } }`,
    ],
    ["under an alias", `query($id: ID!) { adminClient(id: $id) { id } adminMembers: apiKeys { items { id } } }`],
    [
      "in a fragment",
      `query($id: ID!) { adminClient(id: $id) { id } ...F } fragment F on Query { ...G } fragment G on Query { apiKeys { items { id } } }`,
    ],
    [
      "in an inline fragment",
      `query($id: ID!) { adminClient(id: $id) { id } ... on Query { ... { apiKeys { items { id } } } } }`,
    ],
    [
      "in a mutation, before a valid field",
      `mutation($id: ID!) { revokeApiKey(id: $id) { __typename } ${NEW_ORIGIN} }`,
    ],
    [
      "in a mutation, after a valid field",
      `mutation($id: ID!) { ${NEW_ORIGIN} m: mintApiKey(label: "x", scope: WRITE, lifetimeDays: 1) @include(if: false) { __typename } }`,
    ],
  ])("a panel field %s is PANEL_ONLY, and nothing ran", async (_, document) => {
    const before = await service.prisma.auditEntry.count({ where: { action: { not: "API key first used" } } });
    for (const key of [readKey, writeKey]) {
      const answer = await adminQuery(server, key, document, { id: clientId });
      expect(answer).toMatchObject({ status: 200, data: null, code: "FORBIDDEN" });
      expect(answer.errors[0]?.extensions["reason"]).toBe("PANEL_ONLY");
    }
    expect(await service.prisma.auditEntry.count({ where: { action: { not: "API key first used" } } })).toBe(before);
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
    expect(new Set(answers.map(({ errors }) => errors[0]?.extensions["reason"]))).toEqual(
      new Set(["API_KEY_READ_ONLY"]),
    );
    const entries = await service.prisma.auditEntry.findMany({ where: { apiKeyId: id } });
    expect(entries.map(({ action }) => action)).toEqual(["API key first used"]);
    expect((await adminQuery(server, key, "mutation { __typename }")).errors[0]?.extensions["reason"]).toBe(
      "API_KEY_READ_ONLY",
    );
    expect((await adminQuery(server, key, "{ __typename }")).errors).toEqual([]);
  });
});

describe("bad input", () => {
  const GENERIC = "The request is not valid.";

  test.each([
    ["an unknown field", "{ adminClientz { id } }", {}],
    ["a wrong type", "query($id: ID!) { adminClient(id: $id) { id } }", { id: { no: 1 } }],
    ["a missing variable", "query($id: ID!) { adminClient(id: $id) { id } }", {}],
    ["a truncated document", "{ adminClients {", {}],
    ["introspection", "{ __schema { types { name } } }", {}],
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

  test.each([
    ["an invalid origin", `addClientOrigin(id: $id, origin: "shop.example") { id }`],
    [
      "a return URL with a fragment",
      `addClientReturnUrl(id: $id, url: "https://shop.example/#x", confirmedNoOnwardRedirect: true) { id }`,
    ],
    [
      "no confirmation",
      `addClientReturnUrl(id: $id, url: "https://shop.example/y", confirmedNoOnwardRedirect: false) { id }`,
    ],
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
    const authorization = `Bearer ${readKey}`;
    const send = (body: string, type = "application/json") =>
      post(address, body, { authorization, "content-type": type });
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

test.each([
  { extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } } },
  { query: null, extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } }, variables: {} },
  { query: "", extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } } },
  { documentId: "a".repeat(64) },
])("a request with only a hash is UPSTREAM_UNAVAILABLE: %j", async (body) => {
  const answer = await post(`${server.url}/api/admin/graphql`, body, { authorization: `Bearer ${readKey}` });
  expect(answer).toMatchObject({ status: 200, code: "UPSTREAM_UNAVAILABLE", data: null });
});

test("a document sent with its hash runs", async () => {
  const body = { query: TEMPLATE, extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } } };
  const answer = await post(`${server.url}/api/admin/graphql`, body, { authorization: `Bearer ${readKey}` });
  expect(answer.data.previewTemplate.template).toBe("https://{label}.preview.example.app");
});

test("CONFLICT and NOT_FOUND errors have a code and a reason", async () => {
  const { id } = await createApplication(service, "conflicts");
  const change = async (field: string) => {
    const answer = await adminQuery(server, writeKey, `mutation($id: ID!) { ${field} { id } }`, { id });
    return [answer.status, answer.code, answer.errors[0]?.extensions["reason"]];
  };
  expect(await change(`removeClientOrigin(id: $id, origin: "https://shop.example")`)).toEqual([
    200,
    "CONFLICT",
    "LAST_ORIGIN",
  ]);
  expect(await change(`addClientOrigin(id: $id, origin: "https://shop.example")`)).toEqual([
    200,
    "CONFLICT",
    "ALREADY_PRESENT",
  ]);
  await change(`addClientOrigin(id: $id, origin: "https://other.example")`);
  expect(await change(`removeClientOrigin(id: $id, origin: "https://shop.example")`)).toEqual([
    200,
    "CONFLICT",
    "ORIGIN_IN_USE",
  ]);
  const [url] = (await service.prisma.application.findUniqueOrThrow({ where: { id } })).returnUrls;
  expect(await change(`removeClientReturnUrl(id: $id, url: "${url}")`)).toEqual([200, "CONFLICT", "LAST_RETURN_URL"]);
  const missing = await adminQuery(server, readKey, `{ adminClient(id: "${crypto.randomUUID()}") { id } }`);
  expect(missing).toMatchObject({ status: 200, code: "NOT_FOUND", data: { adminClient: null } });
});

test("a locked row is CONFLICT with ROW_BUSY within a few seconds", async () => {
  const { id } = await createApplication(service, "busy");
  const holder = await service.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM application WHERE id = $1 FOR UPDATE", [id]);
  const answer = await adminQuery(
    server,
    writeKey,
    `mutation($id: ID!) { setClientEnabled(id: $id, enabled: false) { id } }`,
    { id },
  );
  await holder.query("ROLLBACK");
  holder.release();
  expect([answer.code, answer.errors[0]?.extensions["reason"]]).toEqual(["CONFLICT", "ROW_BUSY"]);
});

test("an unexpected failure is UPSTREAM_UNAVAILABLE and reveals no internals", async () => {
  const broken = await startAdminServer({ ...service, prisma: null } as unknown as TestService);
  const answer = await adminQuery(broken, readKey, "{ adminMembers { id } }");
  await broken.close();
  expect(answer).toMatchObject({ status: 200, data: { adminMembers: null }, code: "UPSTREAM_UNAVAILABLE" });
  expect(JSON.stringify(answer)).not.toMatch(/prisma|TypeError|stack|null \(/);
});

test("no response and no log line contains a key or a secret argument", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const watched = await startAdminServer({
    ...service,
    logger: createLogger({ level: "debug", role: "test", destination }),
  });
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
  expect(answers.map(({ code }) => code)).toEqual([
    "UNAUTHENTICATED",
    "BAD_USER_INPUT",
    "BAD_USER_INPUT",
    "BAD_USER_INPUT",
  ]);
  const logged = lines.join("");
  expect(logged).toContain("admin operation failed");
  for (const text of [logged, JSON.stringify(answers)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(key.split(".")[1]);
  }
});
