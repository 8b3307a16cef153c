import { parse } from "graphql";
import { expect, test } from "vitest";
import { checkMediaType, needsNoKey, readGraphqlRequest, readJsonObject, validationMessage } from "./graphqlRequest.ts";

test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])("%s is taken", (type) => {
  expect(checkMediaType(type)).toBe(null);
});

test.each([null, "", "text/plain", "application/graphql", "application/x-www-form-urlencoded"])("%s is not", (type) => {
  expect(checkMediaType(type)?.code).toBe("BAD_USER_INPUT");
});

test.each(["", "{", "[]", '[{"query":"{status{ok}}"}]', "null", "1", '"text"'])("the body %s is no request", (text) => {
  expect(readJsonObject(text)).toMatchObject({ violation: { code: "BAD_USER_INPUT" } });
});

test.each([
  {},
  { query: 1 },
  { query: "q", variables: [] },
  { query: "q", variables: "{}" },
  { query: "q", operationName: 1 },
  { query: "q", extensions: [] },
])("the object %j is no request", (body) => {
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
  expect(needsNoKey(parse(document))).toBe(expected);
});

test("a validation message has no suggestions", () => {
  expect(validationMessage('Cannot query field "statu". Did you mean "status"?')).toBe('Cannot query field "statu".');
  expect(validationMessage("Nothing to remove.")).toBe("Nothing to remove.");
});

test.each(["a", "\u0000", "\ud800", "\u{1F600}", '"'])(
  "a validation message that quotes 60,000 times %j is bounded",
  (piece) => {
    const message = validationMessage(`Cannot query field "${piece.repeat(60_000)}" on type "Query".`);
    expect(message).toMatch(/^Cannot query field ".*….*" on type "Query"\.$/s);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(1_850);
  },
);

test("a validation message at the bound stays whole", () => {
  expect(validationMessage("a".repeat(300))).toBe("a".repeat(300));
  expect(validationMessage("a".repeat(301))).toHaveLength(299);
});
