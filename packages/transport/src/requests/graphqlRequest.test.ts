import { parse } from "graphql";
import { expect, test } from "vitest";
import {
  checkMediaType,
  needsNoKey,
  parseJson,
  readGraphqlRequest,
  readJsonObject,
  rootFields,
} from "./graphqlRequest.ts";

test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])("%s is taken", (type) => {
  expect(checkMediaType(type)).toBe(null);
});

test.each([null, "", "text/plain", "application/graphql", "application/x-www-form-urlencoded"])("%s is not", (type) => {
  expect(checkMediaType(type)?.code).toBe("BAD_USER_INPUT");
});

test.each(["", "{", "[]", '[{"query":"{status{ok}}"}]', "null", "1", '"text"', '{"query":"{status{ok}}","then":1}'])(
  "the body %s is not a request",
  (text) => {
    expect(readJsonObject(parseJson(text))).toMatchObject({ violation: { code: "BAD_USER_INPUT" } });
  },
);

test.each([
  {},
  { query: 1 },
  { query: "q", variables: [] },
  { query: "q", variables: "{}" },
  { query: "q", operationName: 1 },
  { query: "q", extensions: [] },
])("the object %j is not a request", (body) => {
  expect(readGraphqlRequest(body)).toMatchObject({ violation: { code: "BAD_USER_INPUT" } });
});

test("a request keeps what it was given, and null is as absent", () => {
  expect(readGraphqlRequest({ query: "q", variables: { a: 1 }, operationName: "n", other: 1 })).toEqual({
    request: { query: "q", variables: { a: 1 }, operationName: "n" },
  });
  expect(readGraphqlRequest({ query: "q", variables: null, operationName: null, extensions: null })).toEqual({
    request: { query: "q" },
  });
});

test.each([
  ["{ status { ok } }", true],
  ["{ __typename status { ok } }", true],
  ["{ status { ok } integrationReadiness { idpIdentityAvailable } }", false],
  ["{ ... on Query { status { ok } } }", true],
  ["{ ... { status { ok } ... { __typename } } }", true],
  ["{ ... on Query { status { ok } integrationReadiness { idpIdentityAvailable } } }", false],
  ["{ ...F } fragment G on Query { status { ok } } fragment F on Query { ...G }", true],
  ["fragment F on Query { status { ok } ...G } fragment G on Query { connections { items { id } } } { ...F }", false],
  ["{ ...Missing }", false],
  ["mutation { status: disconnectConnection { accepted } }", false],
])("whether %s needs no key: %s", (document, expected) => {
  expect(needsNoKey(rootFields(parse(document)))).toBe(expected);
});

test.each([
  ["{ content connections }", ["content", "connections"]],
  ["{ a: content b: content }", ["content", "content"]],
  [
    "mutation { ...Two } fragment Two on Mutation { ... { requestRefresh } requestRefresh }",
    ["requestRefresh", "requestRefresh"],
  ],
  ["{ connection { content } }", ["connection"]],
  ["{ ...Missing }", [""]],
  ["fragment Alone on Query { status }", [""]],
])("the root fields of %s are %j", (document, expected) => {
  expect(rootFields(parse(document))).toEqual(expected);
});
