import { text } from "node:stream/consumers";
import { type LocalServer, serve } from "@social-connect/testkit";
import { serverAudits } from "graphql-http";
import { beforeAll, describe, expect, test } from "vitest";
import { server, useAdminServer } from "../http/testing/adminServer.ts";
import { bearer } from "../http/testing/testServer.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { service } from "../modules/testing/fixtures.ts";

const TYPES = Array.from({ length: 40 }, (_, index) => ({ name: `Type${index}` }));

/** The response of an endpoint with every weakness. */
function answerTo(query: string): object {
  const aliases = [...query.matchAll(/(\w+): __typename/g)].map(([, alias = ""]) => [alias, "Query"]);
  const directives = query.match(/@unknown/g) ?? [];
  if (query.startsWith("unknown")) return { errors: [{ message: "?", extensions: { exception: { stacktrace: [] } } }] };
  if (query.includes("directive }")) return { errors: [{ message: 'Did you mean "directives"?' }] };
  if (directives.length > 0) return { errors: directives.map(() => ({ message: "Unknown directive." })) };
  if (query.includes("__schema")) return { data: { __schema: { types: TYPES } } };
  return { data: { __typename: "Query", ...Object.fromEntries(aliases) }, extensions: { tracing: {} } };
}

/** An endpoint with every weakness that the audits check: the control that an audit can fail. */
function startPermissiveServer(): Promise<LocalServer> {
  return serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const query = searchParams.get("query");
    const body = await text(request);
    if (request.headers.accept === "text/html") return void response.end("<title>GraphiQL</title>");
    if (query !== null) return void response.end(JSON.stringify(answerTo(query)));
    const isForm = request.headers["content-type"]?.includes("urlencoded") ?? false;
    const sent = isForm ? { query: new URLSearchParams(body).get("query") } : JSON.parse(body);
    const answer = Array.isArray(sent) ? sent.map(({ query }) => answerTo(query)) : answerTo(sent.query ?? "");
    response.end(JSON.stringify(answer));
  });
}

/** The endpoint, and the headers that its clients always send. */
interface Ask {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer may have any shape, and a finding is one of them
type Body = any;
type Send = (ask: Ask) => Promise<Response>;

const request = (of: (headers: Ask["headers"]) => RequestInit, search = ""): Send => {
  return ({ url, headers }) => fetch(url + search, of(headers));
};
const postJson = (body: unknown) =>
  request((headers) => {
    return { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  });
const post = (query: string) => postJson({ query, operationName: "Audit" });
const get = (query: string) => request((headers) => ({ headers }), `?${new URLSearchParams({ query })}`);

/** False also for a response that is not JSON or lacks the expected shape. */
const inBody = (isFinding: (body: Body) => unknown) => (text: string) => {
  try {
    return Boolean(isFinding(JSON.parse(text)));
  } catch {
    return false;
  }
};
const hasExtension = (name: string) =>
  inBody((body) => body.extensions?.[name] ?? body.errors?.some((error: Body) => error.extensions?.[name]));

const TYPENAME = "query Audit { __typename }";
const isAnswered = inBody((body) => body.data.__typename);
const CIRCLE = `query Audit { __schema { types { ${"fields { type { ".repeat(4)}name${" } }".repeat(4)} } } }`;
/** A schema that shows only introspection itself has fewer types. */
const MANY_TYPES = 25;
const ALIASES = Array.from({ length: 101 }, (_, index) => `alias${index}: __typename`);

/** The checks of the public auditor graphql-cop: a request, and what in the response is a weakness. */
const SECURITY_AUDITS: Readonly<Record<string, readonly [Send, isFinding: (text: string) => boolean]>> = {
  "field suggestions": [post("query Audit { __schema { directive } }"), (text) => text.includes("Did you mean")],
  introspection: [
    post("query Audit { __schema { types { name fields { name } } } }"),
    inBody((body) => body.data.__schema.types),
  ],
  "circular introspection": [post(CIRCLE), inBody((body) => body.data.__schema.types.length > MANY_TYPES)],
  "an IDE page": [
    request((headers) => ({ headers: { ...headers, accept: "text/html" } })),
    (text) => /graphiql|graphql[ -]playground/i.test(text),
  ],
  "queries over GET": [get(TYPENAME), isAnswered],
  "mutations over GET": [get("mutation Audit { __typename }"), isAnswered],
  "a form-encoded request": [
    request((headers) => ({ method: "POST", headers, body: new URLSearchParams({ query: TYPENAME }) })),
    isAnswered,
  ],
  "a hundred aliases": [post(`query Audit { ${ALIASES.join(" ")} }`), inBody((body) => body.data.alias100)],
  "a batch": [postJson(Array(10).fill({ query: TYPENAME })), inBody((body) => body.length >= 10)],
  "an error for each directive": [
    post(`query Audit { __typename ${"@unknown".repeat(10)} }`),
    inBody((body) => body.errors.length >= 10),
  ],
  "traces in answers": [post(TYPENAME), hasExtension("tracing")],
  "exceptions in answers": [post("unknown Audit { field }"), hasExtension("exception")],
};

useAdminServer();

/** Audits of GraphQL over HTTP that the service fails by design, with the reason. A passing audit may not be listed. */
const RULED_OUT: Readonly<Record<string, string>> = {
  "22EB": "responses are application/json, regardless of Accept",
  BF61: "the audit uses introspection, which is disabled: the schema is published as a file",
  "5A70": "GET is not served",
  "2EA1": "the audit uses introspection",
  "28B9": "the audit uses introspection",
  D6D5: "GET is not served",
  "6A70": "GET is not served",
  "572B": "a document with a syntax error returns 400",
  FDE2: "an invalid document returns 400",
  "7B9B": "invalid variables return 400",
};

const ALSO_RULED_OUT_ON_ADMIN: Readonly<Record<string, string>> = {
  D586: "a response with errors always has `data`, null when nothing ran",
  "5E5B": "a response with errors always has `data`, null when nothing ran",
};

const asks: { consumer?: Ask; anonymous?: Ask; admin?: Ask } = {};

beforeAll(async () => {
  const { key } = await createApplication(service);
  const { key: adminKey } = await createApiKey(service, await createAdminMember(service), "WRITE");
  asks.consumer = { url: `${server.url}/graphql`, headers: bearer(key) };
  asks.anonymous = { url: `${server.url}/graphql`, headers: {} };
  asks.admin = { url: `${server.url}/api/admin/graphql`, headers: bearer(adminKey) };
});

function askOf(name: keyof typeof asks): Ask {
  const ask = asks[name];
  if (ask === undefined) throw new Error(`There is no ${name} endpoint.`);
  return ask;
}

async function findingsAt(ask: Ask): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, [send, isFinding]] of Object.entries(SECURITY_AUDITS)) {
    if (isFinding(await (await send(ask)).text())) findings.push(name);
  }
  return findings;
}

describe.each(["consumer", "anonymous", "admin"] as const)("%s", (name) => {
  test("security audits: 12 of 12 pass", async () => {
    expect(Object.keys(SECURITY_AUDITS)).toHaveLength(12);
    expect(await findingsAt(askOf(name))).toEqual([]);
  });

  test("GraphQL over HTTP: every audit passes except the listed ones", async () => {
    const { url, headers } = askOf(name);
    const fetchFn = (input: string, init?: RequestInit) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
    const results = await Promise.all(serverAudits({ url, fetchFn }).map((audit) => audit.fn()));
    expect(results.length).toBeGreaterThan(50);
    const failing = results.filter(({ status }) => status !== "ok").map(({ id }) => id);
    const ruledOut = { ...RULED_OUT, ...(name === "admin" ? ALSO_RULED_OUT_ON_ADMIN : {}) };
    expect(failing.sort()).toEqual(Object.keys(ruledOut).sort());
  });
});

test("each security audit finds its weakness in an endpoint that has it", async () => {
  const permissive = await startPermissiveServer();
  try {
    expect(await findingsAt({ url: `${permissive.url}/graphql`, headers: {} })).toEqual(Object.keys(SECURITY_AUDITS));
  } finally {
    await permissive.close();
  }
});
