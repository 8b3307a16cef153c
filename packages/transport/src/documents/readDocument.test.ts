import {
  buildSchema,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  type ValueNode,
} from "graphql";
import { expect, test } from "vitest";
import { isPreparedWithoutKey, isReadWithoutKey, MAX_DOCUMENT_TOKENS } from "../requests/graphqlRequest.ts";
import { readDateTime } from "../scalars/scalars.ts";
import { checkDocumentLimits } from "./documentLimits.ts";
import { readDocument } from "./readDocument.ts";

const schema = buildSchema(
  "type Query { status: Status node: Node } type Node { description: String } type Status { ok: Boolean message: String }",
);

function errorOf(text: string): string | undefined {
  const rules = { schema, maxTokens: MAX_DOCUMENT_TOKENS, checkLimits: checkDocumentLimits };
  return readDocument(text, rules).errors[0]?.message;
}

test.each([
  ["a tool's query, which is too deep", getIntrospectionQuery({ typeDepth: 15 })],
  ["one type", '{ __type(name: "Status") { name } }'],
  ["an alias", "{ status { ok } a: __schema { description } }"],
  [
    "too many aliases",
    `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: __schema { description }`).join(" ")} }`,
  ],
  ["a cost above the limit", `{ ${"status { ok } ".repeat(20)} __schema { description } }`],
  ["a fragment that is not used", "{ status { ok } } fragment F on Query { __schema { description } }"],
  ["another type's field", "{ status { __type } }"],
  ["two operations", "query A { status { ok } } query B { __schema { description } }"],
])("refuses introspection by name, before any limit: %s", (_, text) => {
  expect(errorOf(text)).toBe(
    "Introspection is disabled. The schema is published: at /schema.graphql (consumer API) and in the package @social-connect/contract (both APIs).",
  );
});

test.each(["{ __typename status { __typename ok } }", '{ status @skip(if: false) { ok } message(text: "__schema") }'])(
  "does not take other names and strings for introspection: %s",
  (text) => {
    expect(errorOf(text) ?? "").not.toContain("Introspection");
  },
);

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");
/** Each fragment spreads the next one twice, so a rule that follows spreads would visit 2^levels fields. */
const fan = (levels: number) =>
  `${repeat(levels, (i) => `fragment A${i} on Node { ...A${i + 1} ...A${i + 1} }`)} fragment A${levels} on Node { description }`;

test.each([
  [
    "unused fragments that spread twice",
    `{ status { ok } } fragment F on Query { node { ...A0 } } ${fan(28)}`,
    /never used/,
  ],
  ["duplicate fragments that spread twice", `{ node { ...A0 } } ${fan(14)} ${fan(14)}`, /only one fragment named/],
  ["used fragments that spread twice", `{ node { ...A0 } } ${fan(28)}`, /Query cost/],
  ["unknown fragments", `{ status { ${repeat(680, (i) => `...f${i}`)} } }`, /Unknown fragment "f0"/],
  [
    "circular fragments",
    "{ status { ...A } } fragment A on Status { ...B } fragment B on Status { ...A }",
    /within itself/,
  ],
  [
    "too many fragments",
    `{ status { ok } } ${repeat(33, (i) => `fragment F${i} on Status { ok }`)}`,
    /at most 32 fragments/,
  ],
])("refuses %s before it compares or follows them", (_, text, message) => {
  expect(errorOf(text)).toMatch(message);
});

test("validates up to the first error", () => {
  const read: unknown[] = [];
  const digit = new GraphQLScalarType({
    name: "Digit",
    parseValue: String,
    parseLiteral: (node) => {
      read.push(node);
      throw new TypeError("not a digit");
    },
  });
  const fields = { one: { type: GraphQLInt, args: { a: { type: digit }, b: { type: digit } } } };
  const rules = {
    schema: new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) }),
    maxTokens: 50,
  };
  const { errors } = readDocument('{ one(a: "x", b: "y") two }', { ...rules, checkLimits: () => null });
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/"x"; not a digit$/)]);
  expect(read).toHaveLength(1);
});

test("accepts descriptions", () => {
  expect(errorOf('"one" query Q("two" $v: Boolean!) { status { ok @include(if: $v) } }')).toBeUndefined();
  // The control.
  expect(errorOf('query Q($v: Boolean! = "two") { status { ok @include(if: $v) } }')).toMatch(
    /Boolean cannot represent/,
  );
});

test("accepts fragments within the limits", () => {
  const spreads = repeat(32, (i) => `...F${i}`);
  expect(errorOf(`{ status { ${spreads} } } ${repeat(32, (i) => `fragment F${i} on Status { ok }`)}`)).toBeUndefined();
});

test("without a key, bodies of 1 KiB and documents of 40 tokens are read", () => {
  expect(["x".repeat(1_024), `${" ".repeat(60_000)}x`, null].map(isReadWithoutKey)).toEqual([true, true, true]);
  expect(isReadWithoutKey("x".repeat(1_025))).toBe(false);
  expect(isPreparedWithoutKey(`{ ${"a ".repeat(38)} }`)).toBe(true);
  expect(isPreparedWithoutKey(`{ ${"a ".repeat(39)} }`)).toBe(false);
  expect(isPreparedWithoutKey(`{ a \\ ${"a ".repeat(100)} }`)).toBe(true);
});

test.each([
  ["null", "{ at(time: null) }"],
  ["a literal", '{ at(time: "x") }'],
  ["the default of a variable", 'query($time: DateTime! = "x") { at(time: $time) }'],
])("names the argument of a malformed DateTime that is %s", (_, text) => {
  const scalar = new GraphQLScalarType({ name: "DateTime", parseValue: readDateTime, parseLiteral: readLiteral });
  const fields = { at: { type: GraphQLInt, args: { time: { type: new GraphQLNonNull(scalar) } } } };
  const rules = {
    schema: new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) }),
    maxTokens: 50,
  };
  const { errors } = readDocument(text, { ...rules, checkLimits: () => null });
  expect(errors[0]?.message).toBe("`time` must be a valid date and time in ISO 8601 with an offset.");
});

function readLiteral(node: ValueNode): Date {
  return readDateTime(node.kind === Kind.STRING ? node.value : null);
}
