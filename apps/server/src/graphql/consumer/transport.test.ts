import { rawRequest } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { bearer, query, server, startTestServer, useServer } from "../../http/testing/testServer.ts";
import { createApplication, issueKey } from "../../modules/testing/builders.ts";
import { application, service } from "../../modules/testing/fixtures.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { consumerSchema } from "./schema.ts";

useServer();

const JSON_TYPE = { "content-type": "application/json" };

function post(body: string, headers: Record<string, string> = {}, method = "POST"): Promise<Response> {
  const sent = { method, headers: { ...JSON_TYPE, ...headers } };
  return fetch(`${server.url}/graphql`, method === "GET" ? sent : { ...sent, body });
}

const bodyOf = (query: string, more: object = {}) => JSON.stringify({ query, ...more });
const STATUS = bodyOf("{ status { ok } }");

describe("the endpoint", () => {
  test("answers one JSON operation, with no-store and without CORS headers", async () => {
    const accept = "text/event-stream, multipart/mixed";
    const answered = await post(STATUS, { origin: "https://shop.example", accept });
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answered.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answered.json()).toEqual({ data: { status: { ok: true } } });
  });

  test("dates responses to an application by the service's clock, and others by the machine's", async () => {
    const dateOf = async (headers: Record<string, string>) => {
      const answered = await post(bodyOf("{ integrationReadiness { idpIdentityAvailable } }"), headers);
      return Date.parse(answered.headers.get("date") ?? "");
    };
    service.clock.advance(3 * 86_400_000);
    const now = await service.clock.now();
    expect(await dateOf(bearer(application.key))).toBe(Math.floor(now.getTime() / 1_000) * 1_000);
    expect(Math.abs((await dateOf({})) - Date.now())).toBeLessThan(3_600_000);
  });

  test("returns 405 for any other method", async () => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) expect((await post(STATUS, {}, method)).status).toBe(405);
  });

  test.each([
    ["a batch", `[${STATUS},${STATUS}]`, {}],
    ["two operations", bodyOf("query A { status { ok } } query B { status { ok } }", { operationName: "A" }), {}],
    ["a form", "query=%7Bstatus%7Bok%7D%7D", { "content-type": "application/x-www-form-urlencoded" }],
    ["bare query text", "{ status { ok } }", { "content-type": "application/graphql" }],
    ["a truncated JSON text", '{"query": "{ sta', {}],
    ["no query", "{}", {}],
    ["variables as a list", bodyOf("{ status { ok } }", { variables: [] }), {}],
    ["a member that a promise has", '{"query":"{ status { ok } }","then":"x"}', {}],
    ["introspection", bodyOf("{ __schema { types { name } } }"), {}],
    ["a subscription", bodyOf("subscription { status { ok } }"), {}],
    ["thirty brackets", bodyOf("[".repeat(30)), {}],
    ["nine aliases", bodyOf(`{ ${Array.from({ length: 9 }, (_, i) => `a${i}: __typename`).join(" ")} }`), {}],
    ["a cycle of fragments", bodyOf("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }"), {}],
  ])("refuses %s with 400 and BAD_USER_INPUT", async (_, body, headers) => {
    const refused = await post(body, headers);
    expect(refused.status).toBe(400);
    const { errors } = (await refused.json()) as { errors: { extensions: Record<string, unknown> }[] };
    expect(errors[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test.each(["127.0.0.1:4400.evil.example", "a b", "[::1", "x".repeat(1_000)])(
    "accepts any Host header: %s",
    async (host) => {
      const request = { method: "POST", headers: { ...JSON_TYPE, host }, body: STATUS };
      expect((await rawRequest(`${server.url}/graphql`, request)).status).toBe(200);
    },
  );

  test("names no field that the caller did not name", async () => {
    const refused = await query(server, application.key, "{ conections { items { id } } }");
    expect(refused.errors[0]?.message).not.toMatch(/connections|Did you mean/);
  });

  test.each([65_536, 65_537])(
    "accepts a body of %i bytes up to 64 KiB and rejects it above, with or without Content-Length",
    async (bytes) => {
      const body = STATUS + " ".repeat(bytes - STATUS.length);
      const expected = bytes > 65_536 ? 413 : 200;
      expect((await post(body)).status).toBe(expected);
      // Without a Content-Length, which fetch would always send.
      const chunks = body.match(/.{1,10000}/gs) ?? [];
      const answer = await rawRequest(`${server.url}/graphql`, { method: "POST", headers: JSON_TYPE, chunks });
      expect(answer.status).toBe(expected);
    },
  );
});

describe("the application key", () => {
  const CONNECTIONS = '{ connections(scope: { tenantKey: "tenant-1", externalSubjectId: "u" }) { items { id } } }';

  test("is required by every operation but status, and checked before the arguments", async () => {
    const roots = [consumerSchema.getQueryType(), consumerSchema.getMutationType()];
    const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    expect(names).toHaveLength(14);
    const invalid = '{ connections(scope: { tenantKey: "", externalSubjectId: "" }) { items { id } } }';
    const refused = await query(server, null, invalid);
    expect(refused).toMatchObject({ status: 200, code: "UNAUTHENTICATED", data: null });
    const inFragment = "{ ...f } fragment f on Query { integrationReadiness { idpIdentityAvailable } }";
    expect((await query(server, null, inFragment)).code).toBe("UNAUTHENTICATED");
    expect((await query(server, null, "{ status { ok message } }")).data.status.ok).toBe(true);
    expect((await query(server, application.key, CONNECTIONS)).data.connections.items).toEqual([]);
  });

  test("is rejected with the same error when malformed, unknown, wrong, revoked or expired", async () => {
    const [id = "", secret = ""] = application.key.split(".");
    const revoked = await issueKey(service, application.id);
    const expired = await issueKey(service, application.id);
    const update = (key: string, data: { revokedAt: Date } | { expiresAt: Date }) =>
      service.prisma.applicationKey.update({ where: { id: key.split(".")[0] ?? "" }, data });
    await update(revoked, { revokedAt: service.clock.current });
    await update(expired, { expiresAt: service.clock.current });
    const bad = [
      ` ${id}.${secret}`,
      `${id}.${secret.slice(1)}`,
      `${id}.${secret}0`,
      `${id.slice(1)}.${secret}`,
      id,
      `${crypto.randomUUID()}.${secret}`,
      `${id}.${"0".repeat(64)}`,
      revoked,
      expired,
    ];
    for (const key of bad) {
      const { errors, code } = await query(server, key, CONNECTIONS);
      const message = "A valid application key is required, in the header `Authorization: Bearer KEY`.";
      expect([key.length, code, errors[0]?.message]).toEqual([key.length, "UNAUTHENTICATED", message]);
    }
  });

  test("of a disabled application is FORBIDDEN on the next call", async () => {
    const other = await createApplication(service, "disabled");
    expect((await query(server, other.key, CONNECTIONS)).errors).toEqual([]);
    await service.prisma.application.update({ where: { id: other.id }, data: { enabled: false } });
    expect((await query(server, other.key, CONNECTIONS)).code).toBe("FORBIDDEN");
  });
});

test("an unexpected failure is UPSTREAM_UNAVAILABLE with a correlation id and reveals no internals", async () => {
  const broken = { ...service, reads: { pool: service.pool, prisma: null } } as unknown as TestService;
  const brokenServer = await startTestServer(broken);
  const answered = await query(brokenServer, application.key, "{ integrationReadiness { idpIdentityAvailable } }");
  await brokenServer.close();
  expect(answered).toMatchObject({ status: 200, data: null, code: "UPSTREAM_UNAVAILABLE" });
  expect(JSON.stringify(answered)).not.toMatch(/prisma|null \(|TypeError|stack/);
});
