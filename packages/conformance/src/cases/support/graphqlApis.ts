import { INTROSPECTION, repeated } from "../../context/findings.ts";
import type { Steps } from "../../context/steps.ts";
import type { DefineCase } from "../../harness/defineCase.ts";
import type { ApiCaller } from "../../wire/call.ts";

const LONG = 60_000;

/** One of the two APIs: its name in ids, its callers with a key, and names of its schema. */
interface GraphqlApi {
  readonly mark: "" | "admin.";
  readonly path: string;
  readonly callers: (t: Steps) => readonly [ApiCaller, ...ApiCaller[]];
  /** A root field without arguments, a field of its response, and the type of that. */
  readonly field: string;
  readonly leaf: string;
  readonly type: string;
  /** A root field that returns a page of items. */
  readonly page: string;
  /** A mutation whose `input` has capabilities and required fields, and the type of that. */
  readonly create: string;
  readonly inputType: string;
  /** How deep a selection is that is far too deep. */
  readonly depth: number;
  /** Names that no refusal reveals. */
  readonly names: RegExp;
  /** What a refusal of introspection says. */
  readonly published: RegExp;
  readonly misspelt: Readonly<Record<string, string>>;
}

/** Bodies without a request that could be answered. */
function badBodies({ field, leaf, type, page, depth }: GraphqlApi): Readonly<Record<string, string>> {
  const good = `{ ${field} { ${leaf} } }`;
  const requests: Readonly<Record<string, unknown>> = {
    "json-string": good,
    "json-null": null,
    "json-number": 1,
    "no-query": {},
    "query-null": { query: null },
    "query-number": { query: 1 },
    "query-empty": { query: "" },
    "query-list": { query: [good] },
    "variables-list": { query: good, variables: [] },
    "variables-text": { query: good, variables: "x" },
    "operation-name-unknown": { query: `query A ${good}`, operationName: "B" },
  };
  const queries: Readonly<Record<string, string>> = {
    "not-a-document": field,
    "brackets-60000": "[".repeat(60_000),
    [`selection-${depth}-deep`]: `{${"a{".repeat(depth)}`,
    "directive-overload": `{ ${field} { ${leaf} ${"@include(if:true)".repeat(2_000)} } }`,
    "aliases-1000": `{ ${repeated(1_000, (index) => `a${index}: __typename`)} }`,
    "roots-500": `{ ${repeated(500, (index) => `a${index}: ${field} { ${leaf} }`)} }`,
    "unterminated-text": `{ ${page}(after: "`,
    "circular-fragments": `{ ${field} { ...A } } fragment A on ${type} { ...B } fragment B on ${type} { ...A }`,
    "fragment-fan": `{ ${field} { ...F0 } } ${repeated(30, (i) => `fragment F${i} on ${type} { ...F${i + 1} ...F${i + 1} }`)} fragment F30 on ${type} { ${leaf} }`,
    subscription: `subscription ${good}`,
    "unknown-field": "{ nothing }",
    "unknown-argument": `{ ${field}(x: 1) { ${leaf} } }`,
    "unknown-type": `query($x: Nothing) ${good}`,
    "no-selection": `{ ${field} }`,
    "unused-fragment": `${good} fragment F on ${type} { ${leaf} }`,
  };
  return {
    ...{ empty: "", "not-json": good, "cut-json": `{"query":"{ ${field} { ${leaf} }` },
    ...Object.fromEntries(Object.entries(requests).map(([name, request]) => [name, JSON.stringify(request)])),
    ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, JSON.stringify({ query })])),
  };
}

/** Requests with many errors or one very long one, each within the document limits. */
function requestsWithManyErrors({ page, create, inputType }: GraphqlApi) {
  const plain = "{ __typename }";
  const creating = `mutation($input: ${inputType}!) { ${create}(input: $input) { id } }`;
  const including = "query($yes: Boolean!) { __typename @include(if: $yes) }";
  const hundred = <Item>(item: (index: number) => Item) => Array.from({ length: 100 }, (_, index) => item(index));
  const [values, fields] = [hundred((index) => `NOTHING_${index}`), hundred((index) => [`nothing${index}`, index])];
  const longName = "n".repeat(LONG);
  return {
    "unused-variables": { query: `query(${repeated(100, (index) => `$v${index}: Int`)}) ${plain}` },
    "unknown-fields": { query: `{ ${page} { ${repeated(80, (index) => `nothing${index}`)} } }` },
    "unknown-directives": { query: `{ __typename ${repeated(100, (index) => `@nothing${index}`)} }` },
    "unknown-types": { query: `query(${repeated(100, (index) => `$v${index}: Nothing${index}`)}) ${plain}` },
    "unknown-enum-values": { query: creating, variables: { input: { capabilities: values } } },
    "unknown-input-fields": { query: creating, variables: { input: Object.fromEntries(fields) } },
    "long-field": { query: `{ ${longName} }` },
    "long-argument": { query: `{ ${page}(${longName}: 1) { __typename } }` },
    "long-variable": { query: `query($${longName}: Int) ${plain}` },
    "long-operation-name": { query: `query ${longName} { nothing }` },
    "long-directive": { query: `{ __typename @${longName} }` },
    "long-text": { query: `{ __typename @include(if: "${"\u00e4".repeat(LONG / 2)}") }` },
    "long-variable-value": { query: including, variables: { yes: "\u0001".repeat(LONG / 8) } },
    "long-input-field": { query: including, variables: { yes: { [longName]: 1 } } },
    "syntax-error": { query: `{ __typename ${"\\".repeat(100)} }` },
  };
}

export const CONSUMER: GraphqlApi = {
  mark: "",
  path: "/graphql",
  callers: (t) => [t.api],
  ...{ field: "status", leaf: "ok", type: "ApiStatus" },
  ...{ page: "connections", create: "createConnectSession", inputType: "ConnectInput", depth: 16_000 },
  names: /did you mean|tenantKey|externalSubjectId/i,
  published: /introspection.*schema\.graphql/i,
  misspelt: {
    field: "{ statuss { ok } }",
    nested: "{ status { okk } }",
    argument: "{ connections(scopee: 1) { items { id } } }",
  },
};

export const ADMIN: GraphqlApi = {
  mark: "admin.",
  path: "/api/admin/graphql",
  callers: (t) => [t.admin.caller(t.admin.driver.writeKey), t.admin.caller(t.admin.driver.readKey)],
  ...{ field: "previewTemplate", leaf: "template", type: "PreviewTemplate" },
  ...{ page: "adminClients", create: "createClient", inputType: "CreateClientInput", depth: 10_000 },
  names: /did you mean|adminMembers|idd/i,
  published: /introspection.*@social-connect\/contract/i,
  misspelt: {
    field: "{ previewTemplatee { template } }",
    nested: "{ previewTemplate { templatee } }",
    argument: "{ adminClient(idd: 1) { slug } }",
  },
};

/** The rules of transport and documents that both APIs have. */
export function graphqlCases(test: DefineCase, api: GraphqlApi): void {
  const { mark, path } = api;
  const query = `{ ${api.field} { ${api.leaf} } }`;
  const request = JSON.stringify({ query });
  const answersStill = async (t: Steps) =>
    t.equal((await api.callers(t)[0].send(request)).body?.errors, undefined, "a valid request is still answered");
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"] as const)
    test(`S4.${mark}transport.method-${method}: ${method} to the GraphQL path is not allowed, with a key and without: 405 with Allow: POST.`, async (t) => {
      const body = ["GET", "HEAD", "OPTIONS"].includes(method) ? null : request;
      for (const target of [path, `${path}?query=${encodeURIComponent(query)}`]) {
        for (const init of [{}, { authorization: null }]) {
          const answer = await api.callers(t)[0].send(body, { method, path: target, ...init });
          t.equal(answer.status, 405, `${method} ${target}`);
          t.equal(answer.headers.get("allow"), "POST", "Allow");
          t.equal(answer.body?.data, undefined, "no data");
          t.equal(answer.headers.get("access-control-allow-methods"), null, "no CORS headers");
        }
      }
    });
  for (const [name, type, body] of [
    ["urlencoded", "application/x-www-form-urlencoded", new URLSearchParams({ query }).toString()],
    ["plain", "text/plain", request],
    ["graphql", "application/graphql", query],
    [
      "multipart",
      "multipart/form-data; boundary=b",
      `--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${request}\r\n--b\r\nContent-Disposition: form-data; name="map"\r\n\r\n{}\r\n--b--\r\n`,
    ],
    ["xml", "application/xml", "<query/>"],
  ] as const)
    test(`S4.${mark}transport.content-type-${name}: A body of type ${type.split(";")[0]} is not run.`, async (t) => {
      const answer = await api.callers(t)[0].send(body, { headers: { "content-type": type } });
      t.holds(answer.status >= 400 && answer.status < 500, "HTTP status 4xx", answer.status);
      t.equal(answer.body?.data ?? null, null, "nothing ran");
    });
  test(`S8.${mark === "" ? "body.limit" : "admin.body-limit"}: A body of 65,536 bytes is read and one of 65,537 is answered with 413 and no GraphQL body.`, async (t) => {
    const [caller] = api.callers(t);
    t.equal((await caller.send(request.padEnd(65_536, " "))).status, 200, "65,536 bytes");
    const over = await caller.send(request.padEnd(65_537, " "));
    t.equal(over.status, 413, "65,537 bytes");
    t.equal(over.body?.data ?? over.body?.errors, undefined, "no GraphQL body");
    await answersStill(t);
  });
  test(`S4.${mark}transport.${mark === "" ? "cors" : "plain"}: A request needs only a key, no Origin and no CSRF token, and other sites cannot read the response.`, async (t) => {
    const [caller] = api.callers(t);
    const origins = [t.application.webOrigin, "https://evil.example"].map((origin) => ({ origin }));
    for (const headers of [{}, ...origins]) {
      const answer = await caller.send(request, { headers });
      t.equal([answer.status, answer.body?.errors], [200, undefined], "it is answered");
      t.matches(answer.headers.get("cache-control"), /no-store/, "it is not cached");
      const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
      const preflight = await caller.send(null, { method: "OPTIONS", headers: { ...headers, ...asked } });
      for (const { headers: given } of [answer, preflight]) {
        const cors = [...given.keys()].filter((name) => name.startsWith("access-control-"));
        t.equal(cors, [], "CORS headers of the call and its preflight");
      }
    }
  });
  test(`S4.${mark}transport.batch: A batch of requests is refused as a whole, even a batch of one and an empty one.`, async (t) => {
    for (const batch of [[{ query }], [{ query }, { query }], []])
      t.refusedDocument(await api.callers(t)[0].send(JSON.stringify(batch)), `a batch of ${batch.length}`);
  });
  test(`S8.${mark}operations.several: A document with two operations is refused, with and without operationName; a single operation runs.`, async (t) => {
    const [caller] = api.callers(t);
    const two = `query A ${query} query B ${query}`;
    t.refusedDocument(await caller.graphql(two), "two operations");
    t.refusedDocument(await caller.send(JSON.stringify({ query: two, operationName: "A" })), "with a name");
    const one = JSON.stringify({ query: `query A ${query}`, operationName: "A" });
    t.equal((await caller.send(one)).body?.errors, undefined, "one operation by its name");
  });
  for (const [name, asked] of Object.entries(INTROSPECTION))
    test(`S4.${mark}transport.introspection-${name}: Introspection is refused as such, before any limit, with every key and without; __typename is accepted.`, async (t) => {
      for (const caller of api.callers(t)) {
        const answer = await caller.graphql(asked);
        t.refusedDocument(answer, "with a key");
        t.matches(answer.text, api.published, "the message says where the schema is published");
      }
      const [caller] = api.callers(t);
      const anonymous = await caller.graphql(asked, {}, { authorization: null });
      t.equal(anonymous.body?.data ?? null, null, "nothing without a key");
      const named = await caller.graphql(`{ __typename ${api.field} { __typename } }`);
      t.equal(named.body?.data, { __typename: "Query", [api.field]: { __typename: api.type } }, "__typename");
    });
  for (const [name, wrong] of Object.entries(api.misspelt))
    test(`S4.${mark}transport.no-suggestions-${name}: A misspelt name is refused without naming existing fields.`, async (t) => {
      const answer = await api.callers(t)[0].graphql(wrong);
      t.refusedDocument(answer, wrong);
      t.holds(!api.names.test(answer.text), "it names nothing", answer.text.slice(0, 400));
    });
  for (const [name, wrong] of Object.entries(requestsWithManyErrors(api)))
    test(`S7.${mark}first-error.${name}: A request with many or very long errors (${name}) has only the first error in its response, in at most 2 KB.`, async (t) => {
      const answer = await api.callers(t)[0].send(JSON.stringify(wrong));
      t.refusedDocument(answer, name);
      t.equal(answer.body?.errors?.length, 1, "one error");
      const bytes = Buffer.byteLength(answer.text);
      t.holds(bytes <= 2_048, "at most 2,048 bytes", bytes);
    }).with({
      // A mutation with a READ key is refused before its variables are validated.
      readSafe: mark === "" || !wrong.query.startsWith("mutation"),
    });
  for (const [name, body] of Object.entries(badBodies(api)))
    test(`S7.${mark}invalid-document.${name}: A body without an answerable request (${name}) is immediately refused with 400 and BAD_USER_INPUT.`, async (t) => {
      const startedMs = performance.now();
      const answer = await api.callers(t)[0].send(body);
      t.refusedDocument(answer, name);
      t.holds(!api.names.test(answer.text), "it names nothing", answer.text.slice(0, 300));
      t.holds(performance.now() - startedMs < 25_000, "the response arrives before a client would time out");
      await answersStill(t);
    });
}
