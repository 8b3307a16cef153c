import { createServer } from "node:http";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { describe, expect, test } from "vitest";
import { SocialConnect } from "./client.ts";

/** Frequent mistakes are answered with their remedy. */
const KEY = `00000000-0000-4000-8000-000000000000.${"0a".repeat(32)}`;
const BASE_URL = "https://sandbox.example.com";

test.each([undefined, null, ""])("a key that is missing or empty: %s", (key) => {
  expect(() => new SocialConnect({ baseUrl: BASE_URL, key } as never)).toThrow(
    "key is missing or empty: pass an application key: a UUID, a dot and 64 hexadecimal characters.",
  );
});

const FORM = "an application key: a UUID, a dot and 64 hexadecimal characters.";

test.each([
  [`${KEY}\n`, "key must not contain white space: pass only"],
  [`${KEY}\\n`, "key must not contain white space: pass only"],
  [` ${KEY}`, "key must not contain white space: pass only"],
  [KEY.replace(".", " ."), "key must not contain white space: pass only"],
  [`Bearer ${KEY}`, "key must not contain `Bearer`: pass only"],
  [`bearer${KEY}`, "key must not contain `Bearer`: pass only"],
  [`Authorization: Bearer ${KEY}`, "key must not contain `Bearer`: pass only"],
  [`"Bearer ${KEY}"\n`, "key must not contain `Bearer`: pass only"],
  [`"${KEY}"`, "key must not contain quotation marks: pass only"],
  [`SOCIAL_CONNECT_KEY=${KEY}`, "key is not"],
  [`\uFEFF\u200B${KEY}`, "key must not contain"],
  [`scadm_${KEY}`, "key is an admin key: pass an application key"],
  [`Bearer scadm_${KEY}`, "key is an admin key: pass an application key"],
  [KEY.slice(1), "key is not"],
])("a key with more around it, or of another kind: %j", (key, problem) => {
  const secret = KEY.slice(-20);
  for (const create of [
    () => new SocialConnect({ baseUrl: BASE_URL, key }),
    () => SocialConnect.fromEnv({ env: { SOCIAL_CONNECT_URL: BASE_URL, SOCIAL_CONNECT_KEY: key } }),
  ]) {
    expect(create).toThrow(problem.replace(/^key /, ""));
    expect(create).toThrow(FORM);
    expect(create).not.toThrow(secret);
  }
});

test("a key with `Bearer` from a function is refused before anything is sent", async () => {
  const fetch = () => expect.fail("A request was sent.");
  const social = new SocialConnect({ baseUrl: BASE_URL, key: () => `Bearer ${KEY}`, fetch });
  await expect(social.readiness()).rejects.toThrow("key must not contain `Bearer`: pass only");
});

test.each([
  ["/panel", "", "panel"],
  ["/panel/", "", "panel"],
  ["/panel/clients/7?tab=keys#top", "", "panel"],
  ["/graphql", "", "graphql"],
  ["/GraphQL//", "", "GraphQL"],
  ["/team/social/graphql", "/team/social", "graphql"],
  ["/schema.graphql", "", "schema.graphql"],
  ["/api/admin", "", "api/admin"],
  ["/api/admin/graphql", "", "api/admin/graphql"],
  ["/admin/graphql", "", "admin/graphql"],
  ["/panel/graphql/", "", "panel/graphql"],
  ["/team/social/admin/graphql", "/team/social", "admin/graphql"],
])("a base URL that ends in %s names the corrected one", (path, folder, named) => {
  expect(() => new SocialConnect({ baseUrl: `https://api.example.com:8443${path}`, key: KEY })).toThrow(
    `baseUrl must be the root of the service, without /${named}: use https://api.example.com:8443${folder}.`,
  );
});

test.each([
  '"https://api.example.com"',
  "'https://api.example.com",
  "https://api.example.com'",
  "\u201chttps://api.example.com\u201d",
  "api.example.com",
  "api.example.com:8443/social",
  "localhost:4400",
  KEY,
  `"${KEY}"`,
  `api.example.com/${KEY}`,
])("a base URL with quotation marks or without a scheme: %s", (baseUrl) => {
  expect(() => new SocialConnect({ baseUrl, key: KEY })).toThrow(
    "baseUrl is not an absolute URL like https://sandbox.example.com: no white space, quotation marks or backslashes.",
  );
});

test("a base URL with a secret is not repeated", () => {
  const secret = "s3cr3t-of-a-gateway-0123456789";
  for (const baseUrl of [`https://${secret}:x@api.example.com/panel`, `https://api.example.com/${secret}/panel`]) {
    const create = () => new SocialConnect({ baseUrl, key: KEY });
    expect(create).toThrow(/^baseUrl must/);
    expect(create).not.toThrow(secret);
  }
});

describe("another application's URL", () => {
  const PAGE = { "content-type": "text/html" };
  test.each([
    [404, PAGE, "Cannot POST /graphql", "WRONG_ADDRESS", "This is not a Social Connect service: check baseUrl"],
    [405, {}, "", "WRONG_ADDRESS", "This is not a Social Connect service: check baseUrl"],
    [200, PAGE, "<h1>shop</h1>", "NOT_JSON", "This is not a Social Connect service: check baseUrl"],
    [
      200,
      { "content-type": "application/json" },
      "{}",
      "UNEXPECTED_SHAPE",
      "This is not a Social Connect service: check baseUrl",
    ],
    [302, { location: "/login" }, "", "REDIRECTED", "check baseUrl"],
    // The example, and frameworks that want a token of their own forms.
    [
      403,
      { "content-type": "text/plain" },
      "Forbidden",
      "UNEXPECTED_STATUS",
      "This is not a Social Connect service: check",
    ],
    [419, PAGE, "no CSRF token", "UNEXPECTED_STATUS", "This is not a Social Connect service: check baseUrl"],
  ])("HTTP %i names the URL that was asked: %j", async (status, headers, body, code, message) => {
    const server = await listening(
      createServer((request, response) => {
        request.resume();
        response.writeHead(status, headers).end(body);
      }),
    );
    const call = new SocialConnect({ baseUrl: server.url, key: KEY, retries: 0 }).status();
    await expect(call).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`${message}.*\\(HTTP ${status} at ${server.url}/graphql\\)\\.$`)),
    });
    await server.close();
  });
});

describe("a service that cannot be reached", () => {
  const status = (baseUrl: string) => new SocialConnect({ baseUrl, key: KEY, retries: 0 }).status();

  test("a refused connection names the host and its port", async () => {
    const server = await listening(createServer());
    await server.close();
    await expect(status(server.url)).rejects.toThrow(
      `${new URL(server.url).host} could not be reached (ECONNREFUSED). Start the service there: \`npx @social-connect/server dev\`.`,
    );
  });

  test("an unknown host names it, and DNS", async () => {
    await expect(status("https://api.social-connect.invalid")).rejects.toThrow(
      /^api\.social-connect\.invalid could not be reached \(\w+\)\. Check the spelling of the host, and DNS\.$/,
    );
  });

  test("http where https is served names the remedy", async () => {
    // A TLS server ends a connection that begins with anything else.
    const server = await listening(createServer((request) => request.socket.destroy()));
    await expect(status(server.url)).rejects.toThrow(
      `${new URL(server.url).host} ended the connection without a response (UND_ERR_SOCKET). Check whether it serves http or https.`,
    );
    await server.close();
  });

  test("https where http is served names the remedy", async () => {
    const server = await listening(createServer());
    const { host } = new URL(server.url);
    await expect(status(`https://${host}`)).rejects.toThrow(
      /^TLS with [\d.:]+ failed \(\w+\)\. Use http:\/\/ for plain http\.$/,
    );
    await server.close();
  });
});

test.each([
  ["publishedAfter", { publishedAfter: "yesterday", publishedBefore: new Date() }],
  ["publishedBefore", { publishedAfter: new Date(0), publishedBefore: new Date(Number.NaN) }],
])("a malformed time names its argument: %s", (name, window) => {
  const user = new SocialConnect({ baseUrl: BASE_URL, key: KEY }).forSubject({
    tenantKey: "t",
    externalSubjectId: "s",
  });
  const message = `${name} must be a valid Date or an ISO 8601 string.`;
  expect(() => user.content("c", window)).toThrow(message);
  expect(() => user.refresh("c", { window })).toThrow(message);
});

test.each([
  ["{ status { ok }", "line 1, column 16: expected a name, not the end"],
  ["{\n  status { ok },\r\n  1\n}", "line 3, column 3: expected a name, not a number"],
  ['{ status(a: "x) }', "line 1, column 13: a string has no end"],
  ["{ status { } }", "line 1, column 12: expected a name, not `}`"],
  ["{ status % }", "line 1, column 10: this character has no meaning here"],
  ["select 1", "line 1, column 1: expected a query, a mutation or a fragment, not a name"],
  ["fragment F Status { ok }", "line 1, column 12: expected `on`, not a name"],
])("a document with a mistake names its position: %j", async (document, position) => {
  const fetch = () => expect.fail("A request was sent.");
  await expect(new SocialConnect({ baseUrl: BASE_URL, key: KEY, fetch }).request(document)).rejects.toThrow(
    `The document is not valid GraphQL at ${position}.`,
  );
});

test("a document with a missing fragment, and one with two operations, say so", async () => {
  const social = new SocialConnect({ baseUrl: BASE_URL, key: KEY });
  await expect(social.request("{ status { ...Fields } }")).rejects.toThrow(
    "The fragment Fields is not in the document.",
  );
  await expect(social.request("query A { status { ok } } query B { status { ok } }")).rejects.toThrow(
    "exactly one query or mutation, not 2.",
  );
});
