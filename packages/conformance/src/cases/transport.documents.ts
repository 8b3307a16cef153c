import { UUID } from "../context/findings.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { CONSUMER, graphqlCases } from "./support/graphqlApis.ts";

const STATUS = "{ status { ok } }";

/** Names that every JavaScript object has, or that mean something to its libraries. */
const SPECIAL_NAMES = [
  ...["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "__defineGetter__", "__proto__"],
  ...["prototype", "then", "toJSON", "length", "name", "arguments", "_0"],
];
/** More often than a server interprets a document before it compiles it. */
const ROUNDS = 9;

export const DOCUMENT_CASES = defineCasesWith({ readSafe: true })({
  "S4.transport.then": {
    title: "A request with a member `then` beside `query` is refused; other unknown members are ignored.",
    run: async (t) => {
      const send = (name: string) => t.api.send(JSON.stringify({ query: STATUS, [name]: "x" }));
      t.refusedDocument(await send("then"), "a member `then`");
      t.equal((await send("other")).status, 200, "another member");
    },
  },
  ...graphqlCases(CONSUMER),
  "S7.invalid-document.not-utf8": {
    title: "A body with invalid UTF-8 is refused with 400, so that no two ids become equal.",
    needs: ["tenant"],
    run: async (t) => {
      const query = "query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
      const body = JSON.stringify({ query, variables: { scope: { ...t.scope(), externalSubjectId: "caf?" } } });
      const bytes = new TextEncoder().encode(body);
      const at = body.lastIndexOf("?");
      t.equal((await t.api.send(bytes)).body?.errors, undefined, "the same with an ASCII byte");
      for (const byte of [0xe9, 0xff, 0x80]) {
        bytes[at] = byte;
        t.refusedDocument(await t.api.send(bytes), `the byte 0x${byte.toString(16)}`);
      }
    },
  },
  ...caseForEach(SPECIAL_NAMES, (name) => ({
    id: `S4.transport.name.${name}`,
    title: `A variable, an alias, a fragment and an operation named ${name} work like any other, at every repetition.`,
    needs: ["tenant"],
    run: async (t) => {
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
    },
  })),
  "S7.envelope.operation-error": {
    title: "A failed operation returns HTTP 200, a code, and a new correlation id.",
    run: async (t) => {
      const ids = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        const failure = await t.refuses("connection", { scope: t.scope(), id: "unknown" }, "NOT_FOUND");
        t.equal(failure.answer.status, 200, "HTTP status");
        t.matches(failure.answer.headers.get("content-type"), /json/, "content type");
        for (const error of failure.answer.body?.errors ?? []) {
          t.matches(error.extensions?.correlationId, UUID, "correlationId");
          t.matches(error.message, /./, "message");
          const allowed = new Set(["code", "correlationId", "retryAfterSeconds"]);
          const others = Object.keys(error.extensions ?? {}).filter((key) => !allowed.has(key));
          t.equal(others, [], "no other extension");
          ids.add(error.extensions?.correlationId ?? "");
        }
      }
      t.equal(ids.size, 3, "each call has its own correlation id");
    },
  },
  "S4.transport.no-suggestions-enum": {
    title: "A misspelt enum value or input field is refused without naming existing ones.",
    run: async (t) => {
      const input = { ...t.connectInput(), provider: "PROVIDER_Z", tenantKeyy: "x" };
      const failure = await t.refuses("createConnectSession", { input }, "BAD_USER_INPUT");
      t.holds(!/did you mean/i.test(failure.answer.text), "no suggestion", failure.answer.text.slice(0, 400));
    },
  },
  "S7.no-internals": {
    title: "No error shows a stack, a file, a table or a statement.",
    run: async (t) => {
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
    },
  },
  "S7.retry-after.shape": {
    title: "retryAfterSeconds is a positive integer where it applies, and absent elsewhere.",
    readSafe: false,
    run: async (t) => {
      const { scope } = await t.createSession();
      for (let round = 1; round < 5; round += 1) await t.createSession({ scope });
      const { retryAfterSeconds } = await t.refusesSession({ scope }, "RATE_LIMITED");
      t.holds(Number.isInteger(retryAfterSeconds) && Number(retryAfterSeconds) > 0, "an integer", retryAfterSeconds);
      const other = await t.refuses("connection", { scope: t.scope(), id: "x" }, "NOT_FOUND");
      t.equal(other.retryAfterSeconds, null, "absent where a retry does not help");
    },
  },
});
