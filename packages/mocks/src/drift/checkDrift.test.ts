import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { serveMock } from "../node/serve.ts";
import { BoundedFetch, type DriftCheckProblem } from "./boundedFetch.ts";
import { checkDrift } from "./checkDrift.ts";
import type { DriftOptions } from "./driftOptions.ts";
import { type DriftReport, driftText } from "./driftReport.ts";

const mock = createConsumerMock();
const { key } = mock;
const SECRET = key.slice(key.indexOf(".") + 1);
const OTHER_KEY = `${key.slice(0, key.indexOf("."))}.${"0".repeat(64)}`;

/** Changes responses of the mock, to simulate another service. */
function doctored(change: (answer: string, request: { url: URL; body: string }) => string | Response): typeof fetch {
  return async (input, init) => {
    const response = await mock.fetch(input, init);
    const text = await response.text();
    const changed = change(text, { url: new URL(String(input)), body: String(init?.body ?? "") });
    if (typeof changed !== "string") return changed;
    return new Response(changed, { status: response.status, headers: response.headers });
  };
}

function withSchema(from: string | RegExp, to: string): typeof fetch {
  expect(CONSUMER_SCHEMA_TEXT.replace(from, to)).not.toBe(CONSUMER_SCHEMA_TEXT);
  return doctored((answer, { url }) => (url.pathname === "/schema.graphql" ? answer.replace(from, to) : answer));
}

function check(options: Partial<DriftOptions> = {}): Promise<DriftReport> {
  const { tenantKey } = mock.scope;
  return checkDrift({ url: mock.baseUrl, key, tenantKey, fetch: mock.fetch, ...options });
}

/** The mock for the given number of requests, then something else. */
function until(last: number, then: typeof fetch): typeof fetch {
  let count = 0;
  return async (input, init) => {
    count += 1;
    return (count > last ? then : mock.fetch)(input, init);
  };
}

/** The check ends with a problem and a message. */
async function expectProblem(
  report: Promise<DriftReport>,
  problem: DriftCheckProblem,
  message: unknown = expect.any(String),
) {
  await expect(report).rejects.toMatchObject({ name: "DriftCheckError", problem, message });
}

/** A server of a test's own, which keeps what it was sent. */
async function listen(listener: RequestListener): Promise<{ url: string; authorizations: string[] }> {
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) authorizations.push(request.headers.authorization);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorizations };
}

test("nothing differs at a mock that is served over HTTP, and few requests show it", async () => {
  const served = await serveMock();
  onTestFinished(() => served.close());
  const { scope, admin } = served.mock;
  const report = await checkDrift({
    url: `${served.url}/`,
    key: served.mock.key,
    tenantKey: scope.tenantKey,
    admin: { host: admin.host, key: admin.readKey },
  });
  const nothing = { hasDrift: false, schema: [], cases: { differing: [], notJudged: [] } };
  expect(report, driftText(report)).toMatchObject(nothing);
  expect(report.cases.judged).toBeGreaterThan(200);
  expect(report.requests).toBeLessThan(1_350);
  expect(driftText(report)).toBe(`No differences: the schema and ${report.cases.judged} cases are the same.`);
});

test.each<[string, string | RegExp, string, object]>([
  [
    "a field that was removed",
    /\n {2}"""[^"]*"""\n {2}avatarUrl: String/,
    "",
    {
      level: "breaking",
      coordinate: "Profile.avatarUrl",
      text: "Field 'avatarUrl' was removed from object type 'Profile'.",
    },
  ],
  [
    "a value that was added to an enumeration",
    "enum SyncStatus {\n",
    "enum SyncStatus {\n  PAUSED\n",
    {
      level: "dangerous",
      coordinate: "SyncStatus.PAUSED",
      text: "Enum value 'PAUSED' was added to enum 'SyncStatus'.",
    },
  ],
  [
    "an argument that has to be given",
    "first: Int\n",
    "first: Int!\n",
    {
      level: "breaking",
      coordinate: "Query.connections(first:)",
      text: "Type for argument 'first' on field 'Query.connections' changed from 'Int' to 'Int!'.",
    },
  ],
  [
    "a query that was added",
    "  status: ApiStatus!",
    "  status: ApiStatus!\n  version: String",
    { level: "safe", coordinate: "Query.version" },
  ],
])("%s is named with its place in the schema", async (_, from, to, difference) => {
  const report = await check({ fetch: withSchema(from, to) });
  expect(report.hasDrift).toBe(true);
  expect(report.schema).toEqual([expect.objectContaining(difference)]);
  expect(report.cases.differing).toEqual([]);
});

test.each<[string, string | Response, string]>([
  ["is not published", new Response("Not found", { status: 404 }), "the schema is not published: HTTP 404"],
  ["cannot be read", "type Query {", "the published schema cannot be parsed"],
])("a schema that %s is a difference", async (_, answer, text) => {
  const fetch = doctored((given, { url }) => (url.pathname === "/schema.graphql" ? answer : given));
  expect((await check({ fetch })).schema).toEqual([{ level: "breaking", coordinate: "/schema.graphql", text }]);
});

test("reports a changed error code with the cases that expect the original", async () => {
  const fetch = doctored((answer) => answer.replaceAll('"NOT_FOUND"', '"GONE"'));
  const report = await check({ fetch });
  expect(report.schema).toEqual([]);
  const ids = report.cases.differing.map(({ id }) => id);
  expect(ids).toContain("S7.envelope.operation-error");
  expect(ids).toContain("S5.tenant.unregistered-syncJob");
  expect(report.cases.differing.find(({ id }) => id === "S5.tenant.unregistered-syncJob")).toEqual({
    id: "S5.tenant.unregistered-syncJob",
    title: "syncJob with a tenant that is not registered is NOT_FOUND.",
    what: "syncJob fails with NOT_FOUND",
    expected: "NOT_FOUND",
    actual: "GONE",
  });
  expect(driftText(report).split("\n")).toContainEqual(
    expect.stringMatching(/^case +S5\.tenant\.unregistered-syncJob +syncJob with .*: expected NOT_FOUND, got GONE\)$/),
  );
});

test("reports only a changed HTTP status", async () => {
  const fetch = doctored((answer, { body }) =>
    body.includes("a8: ok")
      ? new Response(answer, { status: 200, headers: { "content-type": "application/json" } })
      : answer,
  );
  const { differing } = (await check({ fetch })).cases;
  expect(differing.map(({ id, what, expected, actual }) => ({ id, what, expected, actual }))).toEqual([
    { id: "S8.aliases.boundary", what: "a document over the limit: HTTP status", expected: "400", actual: "200" },
    { id: "S8.aliases.fragments", what: "a document over the limit: HTTP status", expected: "400", actual: "200" },
  ]);
});

test("a closed connection is a difference while the service answers other requests", async () => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(init?.body).includes("[[[[[")) throw new TypeError("fetch failed");
    return mock.fetch(input, init);
  };
  const { differing } = (await check({ fetch })).cases;
  expect(differing.map(({ id }) => id)).toEqual(["S7.invalid-document.brackets-60000"]);
});

test("no key shows in a report, however much of it the service repeats", async () => {
  const echoing: typeof globalThis.fetch = async (input, init) => {
    const authorization = new Headers(init?.headers).get("authorization") ?? "";
    const response = await mock.fetch(input, init);
    const isRefused =
      String(init?.body).includes("status") === false && (await response.clone().text()).includes("UNAUTH");
    return isRefused
      ? Response.json({ errors: [{ message: authorization, extensions: { code: authorization } }] })
      : response;
  };
  const report = await check({ fetch: echoing });
  expect(report.cases.differing.length).toBeGreaterThan(20);
  for (const text of [JSON.stringify(report), driftText(report)]) {
    expect(text).toContain("[secret]");
    for (let at = 0; at + 8 <= SECRET.length; at += 1) expect(text).not.toContain(SECRET.slice(at, at + 8));
    expect(text).not.toContain(Buffer.from(key.replace(".", ":")).toString("base64").slice(10, 30));
  }
});

test.each<[string, Partial<DriftOptions>, string]>([
  ["a wrong key", { key: OTHER_KEY }, `${mock.baseUrl} does not accept the key.`],
  [
    "an unregistered tenant",
    { tenantKey: "nobody" },
    "The tenant is not registered for the key's application. Add it in the admin panel or, if `dev` runs there, with `npx @social-connect/server client add --tenant KEY`.",
  ],
  [
    "an invalid admin key",
    { admin: { host: mock.admin.host, key: `scadm_${OTHER_KEY}` } },
    `${mock.admin.host} does not accept the admin key.`,
  ],
])("fails with %s", async (_, options, message) => {
  await expectProblem(check(options), "key", message);
});

test("distinguishes the key of a disabled application from a wrong key", async () => {
  const other = createConsumerMock({ seed: "disabled" });
  await other.load("application-disabled");
  const { baseUrl: url, fetch } = other;
  await expectProblem(checkDrift({ url, key: other.key, fetch }), "key", expect.stringContaining("disabled"));
});

test.each<[string, Partial<DriftOptions>, RegExp]>([
  ["no address", { url: "sandbox" }, /^url is not an absolute URL/],
  ["plain http", { url: "http://sandbox.example" }, /^url must use https/],
  ["credentials in the address", { url: "https://a:b@sandbox.example" }, /^url must have no credentials/],
  ["the key in the address", { url: `https://sandbox.example/${key}` }, /^url must not contain a key/],
  ["no key", { key: "nothing" }, /^key is not an application key/],
  ["`Bearer` before the key", { key: `Bearer ${key}` }, /^key must not contain `Bearer`: pass only an application key/],
  ["the panel's URL", { url: "https://sandbox.example/panel" }, /without \/panel: use https:\/\/sandbox\.example\.$/],
  [
    "an application key for the admin side",
    { admin: { host: mock.admin.host, key } },
    /^The admin key is an application key: pass an admin key: scadm_/,
  ],
  ["no time", { timeoutMs: 0 }, /^timeoutMs must be an integer/],
])("rejects %s before the first request, without repeating it", async (_, options, message) => {
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    sent.push(input);
    throw new Error("nothing may be sent");
  };
  const error = await check({ fetch, ...options }).catch((reason: Error) => reason);
  expect(error).toMatchObject({ problem: "options", message: expect.stringMatching(message) });
  expect(JSON.stringify(error) + String(error)).not.toContain(SECRET);
  expect(sent).toEqual([]);
});

const HANGS: RequestListener = () => undefined;

test("reports a redirect without following it", async () => {
  const target = await listen((_, response) => response.end("{}"));
  const { url, authorizations } = await listen((request, response) => {
    response.writeHead(307, { location: target.url + request.url }).end();
  });
  const message = `${url}/graphql redirects (HTTP 307). Redirects are not followed with a key: pass the final URL.`;
  await expectProblem(checkDrift({ url, key }), "not-the-service", message);
  expect([authorizations, target.authorizations]).toEqual([[], []]);
});

test("does not follow a redirect of calls with a key", async () => {
  const target = await listen((_, response) => response.end("{}"));
  const served = await serveMock();
  onTestFinished(() => served.close());
  const { url } = await listen((request, response) => {
    if (request.headers.authorization !== undefined) return response.writeHead(308, { location: target.url }).end();
    const method = request.method ?? "GET";
    const headers = { "content-type": "application/json" };
    void buffer(request).then(async (sent) => {
      const body = method === "POST" ? sent : null;
      const answer = await fetch(served.url + request.url, { method, headers, body });
      response.writeHead(answer.status, headers).end(await answer.text());
    });
  });
  await expectProblem(checkDrift({ url, key: served.mock.key }), "not-the-service");
  expect(target.authorizations).toEqual([]);
});

test.each<[string, RequestListener, DriftCheckProblem, RegExp]>([
  [
    "a web page",
    (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>"),
    "not-the-service",
    /^http:\S+ is not a Social Connect service: a query at \/graphql returned HTTP 200, text\/html\.$/,
  ],
  [
    "another GraphQL service",
    (_, response) => response.writeHead(200).end('{"errors":[{"message":"Cannot query field status"}]}'),
    "not-the-service",
    /is not a Social Connect service: its schema and its status differ completely\.$/,
  ],
  ["an error of a proxy", (_, response) => response.writeHead(503).end("busy"), "unreachable", /HTTP 503\.$/],
  [
    "a cut connection",
    (_, response) => response.destroy(),
    "unreachable",
    /ended the connection without a response \(\w+\)/,
  ],
  ["nothing, for as long as it has time", HANGS, "unreachable", /does not respond: it took too long\.$/],
  [
    "an answer without end",
    (_, response) => {
      const flood = () => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", flood);
      flood();
    },
    "unreachable",
    /does not respond: a response of more than 2000000 bytes\.$/,
  ],
])("%s is not drift, and receives no key", async (_, listener, problem, message) => {
  const { url, authorizations } = await listen(listener);
  const timeoutMs = listener === HANGS ? 300 : 30_000;
  await expectProblem(checkDrift({ url, key, timeoutMs }), problem, expect.stringMatching(message));
  expect(authorizations).toEqual([]);
});

test("reports an unreachable address", async () => {
  const { url } = await listen(() => undefined);
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  expect(url).not.toContain(String(port));
  const message = expect.stringMatching(
    new RegExp(`^127\\.0\\.0\\.1:${port} could not be reached \\(ECONNREFUSED\\)\\. Start the service there: `),
  );
  await expectProblem(checkDrift({ url: `http://127.0.0.1:${port}`, key }), "unreachable", message);
});

test("a service that stops answering in between was not checked", async () => {
  const fetch = until(200, () => Promise.reject(new TypeError("fetch failed")));
  await expectProblem(check({ fetch }), "unreachable");
});

test("fails when the service returns 429", async () => {
  const fetch = until(200, async () => new Response("slow down", { status: 429 }));
  await expectProblem(check({ fetch }), "unfinished", expect.stringMatching(/429/));
});

test("stops sending requests when the check is aborted", async () => {
  const abort = new AbortController();
  let answered = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    answered += 1;
    if (answered === 100) abort.abort();
    return mock.fetch(input, init);
  };
  await expectProblem(check({ fetch, signal: abort.signal }), "unfinished");
  expect(answered).toBeLessThan(105);
});

test("fails when the timeout passes during a pending request", async () => {
  const fetch = until(10, (_, init) => {
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("cut off"))));
  });
  const message = "The check is incomplete: it took longer than 1 s.";
  await expectProblem(check({ fetch, timeoutMs: 1_000 }), "unfinished", message);
});

test("no more than 2,000 requests are sent", async () => {
  const wire = new BoundedFetch({ fetch: async () => new Response("{}"), timeoutMs: 60_000 });
  for (let count = 0; count < 2_000; count += 1) await wire.fetch(mock.baseUrl);
  await expect(wire.fetch(mock.baseUrl)).rejects.toThrow("2000 requests were sent");
  expect(wire.requests).toBe(2_000);
});
