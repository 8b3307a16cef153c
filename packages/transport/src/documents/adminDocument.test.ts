import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { checkAdminDocumentLimits, checkNamedDocument, checkOperationClasses } from "./adminDocument.ts";

const check = (text: string, scope: "READ" | "WRITE") => checkOperationClasses(parse(text), scope)?.reason ?? null;

describe("the class of a document", () => {
  it.each([
    ["{ adminClients }", null, null],
    ["{ __typename adminClients }", null, null],
    ["{ createClient constructor }", null, null],
    ["{ adminClients apiKeys }", "PANEL_ONLY", "PANEL_ONLY"],
    ["{ adminClients other: apiKeys @include(if: false) }", "PANEL_ONLY", "PANEL_ONLY"],
    ["query($on: Boolean!) { ... @skip(if: $on) { apiKeys } }", "PANEL_ONLY", "PANEL_ONLY"],
    [
      "{ ...Deep } fragment Deep on Query { ...Deeper } fragment Deeper on Query { ...Deep apiKeys }",
      "PANEL_ONLY",
      "PANEL_ONLY",
    ],
    ["mutation { createClient }", "API_KEY_READ_ONLY", null],
    ["mutation { __typename }", "API_KEY_READ_ONLY", null],
    ["mutation { createClient mintApiKey }", "PANEL_ONLY", "PANEL_ONLY"],
  ])("%s is %s for a READ key and %s for a WRITE key", (text, read, write) => {
    expect([check(text, "READ"), check(text, "WRITE")]).toEqual([read, write]);
  });
});

describe("the size of a document", () => {
  const aliases = (count: number) => `{ ${Array.from({ length: count }, (_, index) => `a${index}: adminClients`)} }`;
  it.each([
    [aliases(8), true],
    [aliases(9), false],
    [`{ a${" { a".repeat(7)}${" }".repeat(7)} }`, true],
    [`{ a${" { a".repeat(8)}${" }".repeat(8)} }`, false],
    ["query One { a } query Two { a }", false],
  ])("%s is within the limits: %s", (text, isWithin) => {
    expect(checkAdminDocumentLimits(parse(text)) === null).toBe(isWithin);
  });
});

it("a document is named only when something names it and no text is sent", () => {
  const hash = { extensions: { persistedQuery: { version: 1, sha256Hash: "0" } } };
  for (const named of [hash, { ...hash, query: "" }, { documentId: "one" }]) {
    expect(checkNamedDocument(named)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  }
  for (const body of [{}, { query: "{ a }" }, { ...hash, query: "{ a }" }]) expect(checkNamedDocument(body)).toBeNull();
});
