import { AppError } from "@social-connect/domain";
import { buildSchema, type ExecutionResult, type GraphQLObjectType, Kind } from "graphql";
import { describe, expect, test } from "vitest";
import { Documents, type ReadyDocument } from "./documents.ts";
import { DateTimeScalar } from "./scalars.ts";

const schema = buildSchema(`
  scalar DateTime
  enum Shade { LIGHT DARK }
  input Range { from: DateTime! to: DateTime first: Int! note: String shades: [Shade!] }
  type Leaf { name: String! shade: Shade size: Int tags: [String!]! self: Leaf broken: String brokenHere: String! }
  type Query {
    leaf(id: ID!, shade: Shade): Leaf
    leaves(range: Range, first: Int = 2): [Leaf!]!
    perhaps: [Leaf]
    echo(range: Range!): String!
    nothing: String!
    refusal: String
    now: DateTime!
  }
  type Mutation { add(by: Int!): Int! }
`);
// The service's scalar, on a schema built from a string.
const dateTime = schema.getType("DateTime") as typeof DateTimeScalar;
const { serialize, parseValue, parseLiteral } = DateTimeScalar;
Object.assign(dateTime, { serialize, parseValue, parseLiteral });

const leaf = (name: string, size: number | null = 3): object => ({
  name,
  size,
  shade: size === null ? null : "DARK",
  tags: ["a", "b"],
  self: async () => leaf(`${name}'s own`, null),
  broken: () => {
    throw new Error("inside");
  },
  brokenHere: async () => {
    throw new AppError({ code: "CAPABILITY_UNAVAILABLE", message: "not here" });
  },
});

function resolvers() {
  let total = 0;
  return {
    leaf: async ({ id }: { id: string }) => (id === "none" ? null : leaf(id)),
    leaves: ({ first, range }: { first: number; range?: { first: number } }) =>
      Array.from({ length: range?.first ?? first }, (_, index) => leaf(`leaf ${index}`)),
    perhaps: async () => [leaf("one"), null, leaf("two", null)],
    echo: ({ range }: { range: object }) => JSON.stringify(range),
    nothing: () => null,
    refusal: () => {
      throw new AppError({ code: "NOT_FOUND", message: "No such leaf." });
    },
    now: () => new Date("2026-03-10T12:00:00.000Z"),
    add: async ({ by }: { by: number }) => {
      total += by;
      return total;
    },
  };
}
// Fields are plain values or have a resolver: compiled code does not call functions that it finds in a value.
for (const [name, field] of Object.entries((schema.getType("Leaf") as GraphQLObjectType).getFields())) {
  field.resolve = (source) => (typeof source[name] === "function" ? source[name]() : source[name]);
}
for (const type of [schema.getQueryType(), schema.getMutationType()]) {
  for (const [name, field] of Object.entries(type?.getFields() ?? {})) {
    field.resolve = (_root, args, context: Record<string, (args: object) => unknown>) => context[name]?.(args);
  }
}

const options = { schema, maxTokens: 1_000, checkLimits: () => null, owners: 10, ownerBytes: 200_000 };

function documents(compiledAtRun: number): Documents {
  return new Documents({ ...options, compiledAtRun });
}

function ready(of: Documents, text: string): ReadyDocument {
  return of.get(text, null);
}

/** As a response would show it. GraphQL's own errors in a result may have no original error. */
function shown({ data, errors }: ExecutionResult): unknown {
  return JSON.parse(
    JSON.stringify({
      data,
      errors: errors?.map(({ message, path, originalError }) => ({
        message,
        path,
        from: originalError?.constructor.name ?? "Error",
      })),
    }),
  );
}

describe("a compiled document returns the same as an interpreted one", () => {
  const FROM = "2026-01-01T00:00:00Z";
  test.each<[string, Record<string, unknown>]>([
    ["{ leaf(id: 7) { name shade size tags self { name size } __typename } }", {}],
    ['query($id: ID!) { a: leaf(id: $id) { name } b: leaf(id: "none") { name } }', { id: 12 }],
    [
      "query($id: ID!) { leaf(id: $id) { ...f } } fragment f on Leaf { name ... on Leaf { size } ... { tags } }",
      { id: "x" },
    ],
    [
      "query($yes: Boolean!) { leaf(id: 1) { name @include(if: $yes) size @skip(if: $yes) tags @skip(if: false) } }",
      { yes: true },
    ],
    ["query($yes: Boolean!) { leaf(id: 1) { name @include(if: $yes) size @skip(if: $yes) } now }", { yes: false }],
    ["{ leaves { name self { self { name } } } }", {}],
    ["query($n: Int) { leaves(first: $n) { name } }", {}],
    ["query($n: Int) { leaves(first: $n) { name } }", { n: 1 }],
    ["query($n: Int) { leaves(first: $n) { name } }", { n: null }],
    ["query($n: Int = 1) { leaves(first: $n) { name } }", {}],
    ["query($r: Range!) { echo(range: $r) }", { r: { from: FROM, first: 3 } }],
    [
      "query($r: Range!) { echo(range: $r) }",
      { r: { from: FROM, to: null, first: 3, note: "\ud800", shades: ["DARK"] } },
    ],
    ["query($r: Range!) { echo(range: $r) }", { r: { from: FROM, first: 3, shades: "DARK" } }],
    ['query($f: DateTime!, $n: Int!) { echo(range: { from: $f, first: $n, note: "a" }) }', { f: FROM, n: 4 }],
    [`{ echo(range: { from: "${FROM}", first: 3, shades: [LIGHT] }) }`, {}],
    ["{ perhaps { name size } }", {}],
    ["{ perhaps { name broken } now }", {}],
    ["{ perhaps { name brokenHere } now }", {}],
    ["{ leaves { brokenHere } }", {}],
    ["{ leaves { name self { brokenHere } } now }", {}],
    ["{ refusal now }", {}],
    ["{ nothing }", {}],
    ["{ now nothing }", {}],
    ["mutation { a: add(by: 1) b: add(by: 10) c: add(by: 100) }", {}],
    ["mutation($by: Int!) { add(by: $by) }", { by: 2_147_483_647 }],
  ])("%s with %j", async (text, variables) => {
    const [interpreted, compiled] = [ready(documents(Number.POSITIVE_INFINITY), text), ready(documents(1), text)];
    expect(shown(await compiled.run(variables, resolvers()))).toEqual(
      shown(await interpreted.run(variables, resolvers())),
    );
  });

  test.each<[string, Record<string, unknown>]>([
    ["query($n: Int) { leaves(first: $n) { name } }", { n: 2_147_483_648 }],
    ["query($n: Int) { leaves(first: $n) { name } }", { n: "3" }],
    ["query($n: Int) { leaves(first: $n) { name } }", { n: 0.5 }],
    ["query($id: ID!) { leaf(id: $id) { name } }", {}],
    ["query($id: ID!) { leaf(id: $id) { name } }", { id: null }],
    ["query($id: ID!) { leaf(id: $id) { name } }", { id: { a: 1 } }],
    ["query($id: ID!) { leaf(id: $id) { name } }", { id: 1.5 }],
    ["query($r: Range!) { echo(range: $r) }", { r: { from: "yesterday", first: 3 } }],
    ["query($r: Range!) { echo(range: $r) }", { r: { from: "2026-01-01T00:00:00Z", first: 3, more: 1 } }],
    ["query($r: Range!) { echo(range: $r) }", { r: { from: "2026-01-01T00:00:00Z", first: 3, shades: ["GREY"] } }],
    ["query($r: Range!) { echo(range: $r) }", { r: [] }],
  ])("%s rejects %j with the same message and runs nothing", async (text, variables) => {
    const both = [ready(documents(Number.POSITIVE_INFINITY), text), ready(documents(1), text)];
    const [interpreted, compiled] = await Promise.all(both.map((document) => document.run(variables, {})));
    expect(interpreted?.errors).toBeDefined();
    expect(compiled).not.toHaveProperty("data");
    expect(compiled?.errors?.map(({ message }) => message)).toEqual(interpreted?.errors?.map(({ message }) => message));
  });
});

test("an alias with the name of an object's built-in property is in the response, also of a compiled document", async () => {
  const document = ready(
    documents(2),
    '{ leaf(id: "a") { __proto__: name constructor: size then: name toJSON: size } }',
  );
  for (const run of [1, 2, 3]) {
    const { data } = await document.run({}, resolvers());
    // Compared as JSON: the assertions ignore an object's own `__proto__`.
    expect([run, JSON.stringify(data)]).toEqual([
      run,
      '{"leaf":{"__proto__":"a","constructor":3,"then":"a","toJSON":3}}',
    ]);
  }
});

describe("a name that every object has is like any other, the first time and the thousandth", () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "then", "toJSON", "length", "arguments"];
  const plain = "ordinary";
  /** The results of many runs, which must be equal. */
  async function resultOf(text: string, variables: Record<string, unknown>, runs: number): Promise<string> {
    const document = ready(documents(8), text);
    const results = new Set<string>();
    for (let run = 1; run <= runs; run += 1) {
      const { data, errors } = await document.run(variables, resolvers());
      results.add(JSON.stringify({ data, errors: errors?.map(({ message }) => message) }));
    }
    expect([...results]).toHaveLength(1);
    return [...results].join();
  }

  test.each<[string, (name: string) => string, (name: string) => Record<string, unknown>]>([
    ["a variable", (name) => `query($${name}: Int) { leaves(first: $${name}) { name } }`, (name) => ({ [name]: 1 })],
    ["an absent variable", (name) => `query($${name}: Int) { leaves(first: $${name}) { name } }`, () => ({})],
    [
      "a null variable",
      (name) => `query($${name}: Shade) { leaf(id: 1, shade: $${name}) { name } }`,
      (name) => ({ [name]: null }),
    ],
    ["a default", (name) => `query($${name}: Int = 1) { leaves(first: $${name}) { name } }`, () => ({})],
    ["a missing variable", (name) => `query($${name}: ID!) { leaf(id: $${name}) { name } }`, () => ({})],
    [
      "a wrong variable",
      (name) => `query($${name}: Int) { leaves(first: $${name}) { name } }`,
      (name) => ({ [name]: "x" }),
    ],
    [
      "a variable within an input",
      (name) => `query($${name}: String) { echo(range: { from: "2026-01-01T00:00:00Z", first: 1, note: $${name} }) }`,
      () => ({}),
    ],
    [
      "a variable within a list",
      (name) =>
        `query($${name}: Shade!) { echo(range: { from: "2026-01-01T00:00:00Z", first: 1, shades: [$${name}] }) }`,
      (name) => ({ [name]: "DARK" }),
    ],
    [
      "a condition",
      (name) => `query($${name}: Boolean!) { now @skip(if: $${name}) leaf(id: 1) { name } }`,
      (name) => ({ [name]: true }),
    ],
    ["an alias", (name) => `{ ${name}: leaf(id: "a") { ${name}: name } }`, () => ({})],
    ["an alias of a list", (name) => `{ ${name}: leaves { ${name}: self { ${name}: size } } }`, () => ({})],
    [
      "a fragment",
      (name) => `query ${name} { leaf(id: 1) { ...${name} } } fragment ${name} on Leaf { name }`,
      () => ({}),
    ],
    [
      "an unknown variable",
      () => "query($known: Int) { leaves(first: $known) { name } }",
      (name) => ({ known: 1, [name]: 1 }),
    ],
  ])("as %s", async (what, text, variables) => {
    // An error takes a hundred times as long as a result.
    const runs = /missing|wrong/.test(what) ? 20 : 1_000;
    const expected = await resultOf(text(plain), variables(plain), runs);
    for (const name of names) {
      expect(await resultOf(text(name), variables(name), runs)).toBe(expected.replaceAll(plain, name));
    }
  });
});

/** As the server does for an authenticated caller. */
function getAndKeep(of: Documents, owner: string, text: string): ReadyDocument {
  return of.keep(owner, of.get(text, owner));
}

test("an owner's document is parsed once, and a rejected one is never cached", () => {
  let judged = 0;
  const some = new Documents({
    ...options,
    checkLimits: ({ definitions }) => {
      judged += 1;
      const [first] = definitions;
      const isNamed = first?.kind === Kind.OPERATION_DEFINITION && first.name !== undefined;
      return isNamed ? null : { code: "BAD_USER_INPUT", message: "it needs a name" };
    },
  });
  expect(getAndKeep(some, "a", "query A { now }")).toBe(getAndKeep(some, "a", "query A { now }"));
  expect(judged).toBe(1);
  for (const _ of [1, 2]) expect(() => some.get("{ now }", "a")).toThrow("it needs a name");
  expect(judged).toBe(3);
  expect(() => some.get("query A { now", "a")).toThrow("Syntax Error");
  expect(() => some.get(`query A { ${"now ".repeat(1_000)} }`, "a")).toThrow("token");
  expect(() => some.get("query A { __schema { description } }", "a")).toThrow("Introspection is disabled");
  expect(some.get("query A { now }", "a", "A").label).toBe("now");
  expect(() => some.get("query A { now }", "a", "B")).toThrow('Unknown operation named "B"');
});

test.each([
  ["{ now }", "now"],
  ["{ now { x } }", "now"],
  ["query A { now unknown }", "now"],
  ["{ now leaf(id: []) { name } }", "multiple"],
  ["{ ...A } fragment A on Query { ...A }", "other"],
  ["{ constructor __schema { description } }", "other"],
  ["{ now } query B { now }", null],
  ["{ now", null],
])("the label of %s is %s, also when it is rejected", (text, label) => {
  const labels: string[] = [];
  const read = () => documents(1).get(text, null, undefined, (one) => labels.push(one));
  if (text === "{ now }") read();
  else expect(read).toThrow();
  expect(labels).toEqual(label === null ? [] : [label]);
});

test("nothing is cached without an owner, and owners do not share documents", () => {
  const some = documents(2);
  expect(some.get("{ now }", null)).not.toBe(some.get("{ now }", null));
  const document = getAndKeep(some, "a", "{ now }");
  expect(some.get("{ now }", "a")).toBe(document);
  for (const other of [null, "b"]) expect(some.get("{ now }", other)).not.toBe(document);
  expect(getAndKeep(some, "b", "{ now }")).not.toBe(document);
  expect(some.get("{ now }", "a")).toBe(document);
});

test("a common document is ready for everyone and is in no owner's cache", () => {
  const some = new Documents({ ...options, ownerBytes: 50_000, commonDocuments: ["{ now }"] });
  const own = getAndKeep(some, "a", "query Own { now }");
  expect(some.get("{ now }", null)).toBe(getAndKeep(some, "a", "{ now }"));
  expect(some.get("query Own { now }", "a")).toBe(own);
  // The control: there is no room for a second document.
  getAndKeep(some, "a", "query Second { now }");
  expect(some.get("query Own { now }", "a")).not.toBe(own);
});

test("one owner's flood of documents evicts none of another owner's", () => {
  const some = documents(1);
  const quiet = getAndKeep(some, "quiet", "query Quiet { now }");
  const early = getAndKeep(some, "loud", "query Early { now }");
  for (let index = 0; index < 1_000; index += 1) getAndKeep(some, "loud", `query Q${index} { now }`);
  expect(some.get("query Quiet { now }", "quiet")).toBe(quiet);
  expect(some.get("query Early { now }", "loud")).not.toBe(early);
});

test("any number of owners stays within the total limit", () => {
  const some = documents(1);
  const kept = Array.from({ length: 500 }, (_, owner) => getAndKeep(some, `owner ${owner}`, "{ now }"));
  const isCached = kept.map((document, owner) => some.get("{ now }", `owner ${owner}`) === document);
  expect(isCached.lastIndexOf(false)).toBe(500 - options.owners - 1);
  expect(isCached.filter((is) => is)).toHaveLength(options.owners);
});

test("a document larger than an owner's cache runs and evicts nothing", () => {
  const some = documents(1);
  const small = getAndKeep(some, "a", "query Small { now }");
  const large = `query Large { ${"now ".repeat(900)} }`.padEnd(100_000);
  expect(getAndKeep(some, "a", large)).not.toBe(getAndKeep(some, "a", large));
  expect(some.get("query Small { now }", "a")).toBe(small);
});

test("reads a list of invalid variable values only up to the second, compiled or not", async () => {
  const document = ready(documents(2), "query($range: Range!) { echo(range: $range) }");
  const range = { from: "2026-03-10T12:00:00.000Z", first: 1, shades: Array.from({ length: 6_000 }, () => "NONE") };
  for (const _ of ["interpreted", "compiled", "compiled"]) {
    const { errors = [] } = await document.run({ range }, {});
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('"range.shades[0]"'),
      expect.stringContaining("Too many errors"),
    ]);
  }
});
