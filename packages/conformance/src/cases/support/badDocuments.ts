import { repeated } from "../../context/findings.ts";

interface FaultyRequest {
  readonly query: string;
  readonly variables?: object;
}

const LONG = 60_000;

/** Names of a schema. */
export interface Vocabulary {
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
}

/** Bodies without a request that could be answered. */
export function badBodies({ field, leaf, type, page, depth }: Vocabulary): Readonly<Record<string, string>> {
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
export function requestsWithManyErrors({
  page,
  create,
  inputType,
}: Vocabulary): Readonly<Record<string, FaultyRequest>> {
  const plain = "{ __typename }";
  const longName = "n".repeat(LONG);
  return {
    "unused-variables": { query: `query(${repeated(100, (index) => `$v${index}: Int`)}) ${plain}` },
    "unknown-fields": { query: `{ ${page} { ${repeated(80, (index) => `nothing${index}`)} } }` },
    "unknown-directives": { query: `{ __typename ${repeated(100, (index) => `@nothing${index}`)} }` },
    "unknown-types": { query: `query(${repeated(100, (index) => `$v${index}: Nothing${index}`)}) ${plain}` },
    "unknown-enum-values": {
      query: `mutation($input: ${inputType}!) { ${create}(input: $input) { id } }`,
      variables: { input: { capabilities: Array.from({ length: 100 }, (_, index) => `NOTHING_${index}`) } },
    },
    "unknown-input-fields": {
      query: `mutation($input: ${inputType}!) { ${create}(input: $input) { id } }`,
      variables: { input: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`nothing${index}`, index])) },
    },
    "long-field": { query: `{ ${longName} }` },
    "long-argument": { query: `{ ${page}(${longName}: 1) { __typename } }` },
    "long-variable": { query: `query($${longName}: Int) ${plain}` },
    "long-operation-name": { query: `query ${longName} { nothing }` },
    "long-directive": { query: `{ __typename @${longName} }` },
    "long-text": { query: `{ __typename @include(if: "${"\u00e4".repeat(LONG / 2)}") }` },
    "long-variable-value": {
      query: "query($yes: Boolean!) { __typename @include(if: $yes) }",
      variables: { yes: "\u0001".repeat(LONG / 8) },
    },
    "long-input-field": {
      query: "query($yes: Boolean!) { __typename @include(if: $yes) }",
      variables: { yes: { [longName]: 1 } },
    },
    "syntax-error": { query: `{ __typename ${"\\".repeat(100)} }` },
  };
}
