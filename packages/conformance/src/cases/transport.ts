import { buildSchema } from "graphql";
import { DOCUMENT_PARTS } from "../_generated/consumerWire.ts";
import { repeated } from "../context/findings.ts";
import type { Steps } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { documentOf } from "../wire/documents.ts";
import { CONSUMER, graphqlCases } from "./support/graphqlApis.ts";
import { rawPost } from "./support/rawPost.ts";

const STATUS = "{ status { ok } }";

/** Names that every JavaScript object has, or that mean something to its libraries. */
const SPECIAL_NAMES = [
  ...["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__defineGetter__", "__proto__"],
  ...["prototype", "then", "toJSON", "length", "name", "arguments", "_0"],
];
/** More often than a server interprets a document before it compiles it. */
const ROUNDS = 9;

export const TRANSPORT_CASES = defineCases({ readSafe: true }, (test) => {
  test("S4.status.answers: status responds without a key, with ok and a message.", async (t) => {
    const answer = await t.api.graphql(documentOf("status"), {}, { authorization: null });
    t.equal(answer.status, 200, "HTTP status");
    const status = answer.body?.data?.["status"] as { ok: boolean; message: string } | undefined;
    t.equal(status?.ok, true, "ok");
    t.matches(status?.message, /./, "message");
  });
  for (const accept of [
    "text/event-stream",
    "multipart/mixed",
    "text/html",
    "*/*",
    "application/graphql-response+json",
  ] as const)
    test(`S4.transport.accept-${accept.replace(/\W+/g, "-")}: For the Accept header ${accept} the response is JSON or a refusal, never a stream or a page.`, async (t) => {
      const answer = await t.api.graphql(STATUS, {}, { headers: { accept } });
      t.matches(answer.headers.get("content-type"), /json/, "content type");
      t.holds(answer.body !== null, "the body is a JSON object");
    });
  test("S8.body.limit-characters: The body limit counts bytes and not characters.", async (t) => {
    const wide = JSON.stringify({ query: STATUS, variables: { x: "é".repeat(33_000) } });
    t.holds(wide.length < 65_536, "fewer characters than the limit");
    t.equal((await t.api.send(wide)).status, 413, "more bytes than the limit");
  });
  test("S8.body.limit-chunked: A body without Content-Length has the same limit.", async (t) => {
    const stream = (bytes: number) => {
      const whole = new TextEncoder().encode(JSON.stringify({ query: STATUS }).padEnd(bytes, " "));
      return new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < whole.length; at += 8_192) controller.enqueue(whole.slice(at, at + 8_192));
          controller.close();
        },
      });
    };
    t.equal((await t.api.send(stream(65_536))).status, 200, "65,536 bytes in chunks");
    t.equal((await t.api.send(stream(65_537))).status, 413, "65,537 bytes in chunks");
  });
  test("S4.transport.typename: __typename is accepted.", async (t) => {
    const answer = await t.api.graphql("{ __typename status { __typename ok } }");
    t.equal(answer.body?.data, { __typename: "Query", status: { __typename: "ApiStatus", ok: true } }, "data");
  });
  test("S4.transport.absolute-form: A target in absolute form is served like its path if its host is the service's; any other is refused.", async (t) => {
    const { baseUrl } = t.application;
    const post = (target: string, host = "other.example.test") =>
      rawPost(baseUrl, target, ["Content-Type: application/json"], JSON.stringify({ query: STATUS }), [host]);
    const { host, port } = new URL(baseUrl);
    for (const own of [host, `127.0.0.1:${port}`, "localhost", "[::1]:1"])
      t.matches(await post(`http://${own}/graphql`), /"ok":true/, `http://${own}, with another Host header`);
    for (const other of [`user@${host}`, "other.example.test", `${host}.example.test`, `other.example.test@${host}`]) {
      const answer = await post(`http://${other}/graphql`, host);
      t.matches(answer, /^HTTP\/1\.1 4\d\d/, `http://${other}`);
      t.holds(!/"ok":true/.test(answer), "nothing ran");
    }
  }).with({ needs: ["raw-socket"], readSafe: false });
  test("S4.transport.correlation-id: Every response has its own correlation id in a header, which is that of its errors.", async (t) => {
    const ids = new Set<string>();
    const padded = JSON.stringify({ query: STATUS }).padEnd(65_537, " ");
    for (const [what, answer] of Object.entries({
      data: await t.api.graphql(STATUS),
      again: await t.api.graphql(STATUS),
      refused: await t.api.graphql(documentOf("integrationReadiness"), {}, { authorization: null }),
      invalid: await t.api.graphql("{ unknown }"),
      "not JSON": await t.api.send("{"),
      "too large": await t.api.send(padded),
    })) {
      const id = answer.headers.get("x-correlation-id") ?? "";
      t.matches(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, `header of: ${what}`);
      t.holds(!ids.has(id), `a new id for: ${what}`);
      ids.add(id);
      for (const { extensions } of answer.body?.errors ?? [])
        t.equal(extensions?.correlationId, id, `errors of: ${what}`);
    }
  });
  for (const [name, value] of Object.entries({
    library: "sdk/1.2.3",
    text: '<script>alert("x")</script>',
    long: `sdk/1.2.3-${"x".repeat(6_000)}`,
  }))
    test(`S4.transport.client-header-${name}: The client header with a ${name} does not change the response.`, async (t) => {
      const named = await t.api.graphql(STATUS, {}, { headers: { "x-social-connect-client": value } });
      t.equal([named.status, named.body], [200, { data: { status: { ok: true } } }], "response");
    });
  test("S4.transport.schema-text: The schema is published with every operation.", async (t) => {
    const answer = await t.api.send(null, { method: "GET", path: "/schema.graphql", authorization: null });
    t.equal(answer.status, 200, "HTTP status");
    const schema = buildSchema(answer.text);
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    t.equal(fields.length, 14, "8 queries and 6 mutations");
  }).with({ readSafe: false });
  test("S4.transport.then: A request with a member `then` beside `query` is refused; other unknown members are ignored.", async (t) => {
    const send = (name: string) => t.api.send(JSON.stringify({ query: STATUS, [name]: "x" }));
    t.refusedDocument(await send("then"), "a member `then`");
    t.equal((await send("other")).status, 200, "another member");
  });
  graphqlCases(test, CONSUMER);
  test("S7.invalid-document.not-utf8: A body with invalid UTF-8 is refused with 400, so that no two ids become equal.", async (t) => {
    const query = "query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
    const body = JSON.stringify({ query, variables: { scope: { ...t.scope(), externalSubjectId: "caf?" } } });
    const bytes = new TextEncoder().encode(body);
    const at = body.lastIndexOf("?");
    t.equal((await t.api.send(bytes)).body?.errors, undefined, "the same with an ASCII byte");
    for (const byte of [0xe9, 0xff, 0x80]) {
      bytes[at] = byte;
      t.refusedDocument(await t.api.send(bytes), `the byte 0x${byte.toString(16)}`);
    }
  }).with({ needs: ["tenant"] });
  for (const name of SPECIAL_NAMES)
    test(`S4.transport.name.${name}: A variable, an alias, a fragment and an operation named ${name} work like any other, at every repetition.`, async (t) => {
      const fragment = `fragment ${name} on ConnectionPage { ${name}: items { id } }`;
      const documentOf = (type: string) =>
        `query ${name}($${name}: ${type}, $scope: SubjectScope!) { ${name}: connections(first: $${name}, scope: $scope) { ...${name} } } ${fragment}`;
      const expected = JSON.stringify({ [name]: { [name]: [] } });
      const scope = t.scope();
      for (const type of ["Int", "Int = 7"]) {
        const variables = [{ scope, [name]: 1 }, { scope }, { scope, [name]: null }];
        for (let round = 1; round <= ROUNDS; round += 1) {
          const { body } = await t.api.graphql(documentOf(type), variables[round % variables.length]);
          t.equal(JSON.stringify(body?.data), expected, `$${name}: ${type}, round ${round}`);
        }
      }
      const needed = await t.api.graphql(documentOf("Int!"), { scope });
      t.equal(needed.body?.errors?.[0]?.extensions?.code, "BAD_USER_INPUT", "a required variable that is missing");
    }).with({ needs: ["tenant"] });
  test("S7.envelope.operation-error: A failed operation returns HTTP 200, a code, and a new correlation id.", async (t) => {
    const ids = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const { answer, reason } = await t.refuses("connection", { scope: t.scope(), id: "unknown" }, "NOT_FOUND");
      t.refusedOperation(answer, "the call");
      t.equal(reason, null, "no reason");
      ids.add(answer.body?.errors?.[0]?.extensions?.correlationId ?? "");
    }
    t.equal(ids.size, 3, "each call has its own correlation id");
  });
  test("S4.transport.no-suggestions-enum: A misspelt enum value or input field is refused without naming existing ones.", async (t) => {
    const input = { ...t.connectInput(), provider: "PROVIDER_Z", tenantKeyy: "x" };
    const failure = await t.refuses("createConnectSession", { input }, "BAD_USER_INPUT");
    t.holds(!/did you mean/i.test(failure.answer.text), "no suggestion", failure.answer.text.slice(0, 400));
  });
  test("S7.no-internals: No error shows a stack, a file, a table or a statement.", async (t) => {
    const answers = [
      await t.api.graphql("{ nothing }"),
      await t.api.graphql("query($x: Int!) { status { ok } }", { x: "a" }),
      (await t.callWith(t.api, "connection", { scope: t.scope(), id: "'; DROP TABLE connection; --" })).answer,
      (await t.callWith(t.api, "connections", { scope: t.scope(), after: "%00%ff", first: 1 })).answer,
    ];
    for (const { text, status } of answers) {
      t.holds(status < 500, "no status of 500 or more", status);
      const isInternal = /\bat .*\.(ts|js):|node_modules|SELECT |prisma|postgres/i.test(text);
      t.holds(!isInternal, "no internals", text.slice(0, 500));
    }
  });
  test("S7.retry-after.shape: retryAfterSeconds is a positive integer where it applies, and absent elsewhere.", async (t) => {
    const { scope } = await t.createSession();
    for (let round = 1; round < 5; round += 1) await t.createSession({ scope });
    const { retryAfterSeconds } = await t.refusesSession({ scope }, "RATE_LIMITED");
    t.holds(Number.isInteger(retryAfterSeconds) && Number(retryAfterSeconds) > 0, "an integer", retryAfterSeconds);
    const other = await t.refuses("connection", { scope: t.scope(), id: "x" }, "NOT_FOUND");
    t.equal(other.retryAfterSeconds, null, "absent where a retry does not help");
  }).with({ readSafe: false });
});

const aliases = (count: number) => repeated(count, (i) => `a${i}: ok`);
const rootAliases = (count: number) => repeated(count, (i) => `s${i}: status { ok }`);
const typenames = (count: number) => repeated(count, (i) => `t${i}: __typename`);
const inStatus = (selection: string) => `{ status { ${selection} } }`;
/** A document whose fragment is spread so many times. */
const spread = (count: number, selection: string) =>
  `${inStatus("...F ".repeat(count))} fragment F on ApiStatus { ${selection} }`;

/** Three root fields, two of them with every field below them. */
const WIDE = `connections(scope: $s) { ${DOCUMENT_PARTS.connections.fields} }
  content(scope: $s, connectionId: "x", window: $w) { ${DOCUMENT_PARTS.content.fields} } status`;
/** An independent count of the document above: a word outside of arguments is a field, three of them at the root. */
function costOf(document: string): number {
  const withoutArguments = document.replace(/\([^)]*\)/g, "").replace(/\w+\s*:/g, "");
  return (withoutArguments.match(/\w+/g) ?? []).length + 3 * 9;
}
const VARIABLES = "($s: SubjectScope!, $w: ContentWindow!)";
const DEEPEST = `query${VARIABLES} { content(scope: $s, connectionId: "x", window: $w) { ...P } }
  fragment P on ContentPage { items { metrics { ...M } } } fragment M on MetricObservation { name value }`;
const costing = (cost: number) => `query${VARIABLES} { ${WIDE} { ${"ok ".repeat(cost - costOf(WIDE))} } }`;

/** `passes` are documents that run, regardless of their fields' results; `names` is what each refusal says. */
async function limits(t: Steps, passes: readonly string[], refused: readonly string[], names = /./) {
  const window = { publishedAfter: "2026-01-01T00:00:00.000Z", publishedBefore: "2026-02-01T00:00:00.000Z" };
  const ask = (query: string) =>
    t.api.graphql(query, query.includes(VARIABLES) ? { s: t.scope(), w: { ...window, first: 1 } } : {});
  for (const query of passes) {
    const answer = await ask(query);
    t.equal(answer.status, 200, `${query.slice(0, 80)} is accepted (${answer.text.slice(0, 160)})`);
  }
  for (const query of refused) {
    const answer = await ask(query);
    t.refusedDocument(answer, "a document over the limit");
    t.matches(answer.body?.errors?.[0]?.message, names, "the message");
  }
}

export const DOCUMENT_LIMIT_CASES = defineCases({ readSafe: true }, (test) => {
  test("S8.aliases.boundary: 8 aliases are accepted and 9 are refused.", (t) =>
    limits(t, [inStatus(aliases(8))], [inStatus(aliases(9))]));
  test("S8.aliases.root: Aliases of root fields count like others.", (t) =>
    limits(t, [`{ ${rootAliases(8)} }`], [`{ ${rootAliases(9)} }`]));
  test("S8.aliases.typename: Aliases of __typename count too, a thousand of them included.", (t) =>
    limits(t, [inStatus(typenames(8))], [inStatus(typenames(9)), `{ ${typenames(1_000)} }`]));
  test("S8.aliases.fragments: Aliases in a fragment count where the fragment is spread.", (t) =>
    limits(t, [spread(2, aliases(4))], [spread(3, aliases(4)), inStatus(`... on ApiStatus { ${aliases(9)} }`)]));
  test("S8.depth.deepest-answer: The deepest response of the API is accepted, including fragments.", (t) =>
    limits(t, [DEEPEST], []));
  test("S8.depth.fragments: Fragments do not hide depth.", (t) =>
    limits(t, [], [spread(1, `${"x { ".repeat(7)} y ${"} ".repeat(7)}`)], /depth|deep/i));
  test("S8.cost.boundary: A document of cost 100 is accepted and one of 101 is refused: 10 for a root field, 1 for a nested one.", (t) =>
    limits(t, [costing(100)], [costing(101)]));
  test("S8.cost.repeated-fields: A repeated field costs each time.", (t) =>
    limits(t, [inStatus("ok ".repeat(90))], [inStatus("ok ".repeat(91))]));
  test("S8.cost.root-fields: A root field costs 10 even without an alias.", (t) =>
    limits(t, [`{ ${"status { ok } ".repeat(9)} }`], [`{ ${"status { ok } ".repeat(10)} }`]));
  test("S8.cost.fragments: A fragment costs each time it is spread.", (t) =>
    limits(t, [spread(3, "ok ".repeat(30))], [spread(4, "ok ".repeat(30))]));
  test("S8.cost.message: A refusal for cost names the cost.", (t) =>
    limits(t, [], [`{ ${"status { ok } ".repeat(20)} }`], /cost/i));
  test("S8.depth.boundary: A selection 9 fields deep is refused for its depth; one of 8 is not.", async (t) => {
    // No response of this API is 8 deep, so the shallower document is also refused: for its fields, not for its
    // depth.
    const deep = (levels: number) => inStatus(`${"x { ".repeat(levels - 2)} y ${"} ".repeat(levels - 2)}`);
    const [nine, eight] = [await t.api.graphql(deep(9)), await t.api.graphql(deep(8))];
    t.refusedDocument(nine, "9 deep");
    t.matches(nine.text, /depth|deep/i, "the refusal of 9 names the depth");
    t.holds(!/depth|too deep/i.test(eight.text), "the refusal of 8 does not", eight.text.slice(0, 300));
  });
});
