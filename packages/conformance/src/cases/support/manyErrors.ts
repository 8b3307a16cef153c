import { repeated } from "../../context/findings.ts";

interface FaultyRequest {
  readonly query: string;
  readonly variables?: object;
}

const LONG = 60_000;

/**
 * Requests with many errors or one very long one, each within the document limits. `page` is a root field that returns
 * a page of items, `create` a mutation whose `input` has capabilities and required fields.
 */
export function requestsWithManyErrors(
  page: string,
  create: string,
  inputType: string,
): Readonly<Record<string, FaultyRequest>> {
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
