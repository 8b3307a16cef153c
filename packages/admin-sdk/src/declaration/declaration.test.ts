import { readFileSync } from "node:fs";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { describe, expect, it } from "vitest";
import { SHOP } from "../testing/clients.ts";
import { KEY } from "../testing/fakeAdmin.ts";
import { checkDeclaration } from "./checkDeclaration.ts";
import { DeclarationError } from "./declarationError.ts";
import { declareClient } from "./declareClient.ts";
import { parseDeclarations } from "./parseDeclarations.ts";

const YAML = `
slug: shop
displayName: The Shop
enabled: true
webOrigins:
  - https://shop.example
returnUrls:
  - url: https://shop.example/connected
    confirmedNoOnwardRedirect: true
  - https://shop.example/again
tenantKeys: [acme]
providers: [PROVIDER_A]
capabilities: [PROFILE, CONTENT_LIST]
previewOriginsEnabled: false
previewReturnPaths: [/connected]
`;

/** The error for an invalid file. */
function refused(text: string): DeclarationError {
  try {
    parseDeclarations(text, { source: "client.yaml" });
  } catch (error) {
    if (error instanceof DeclarationError) return error;
    throw error;
  }
  return expect.fail("The file was expected to be rejected.");
}

describe("a file", () => {
  it("contains one client as YAML or JSON, with equal results", () => {
    const [client] = parseDeclarations(YAML);
    expect(client).toMatchObject({ slug: "shop", capabilities: ["PROFILE", "CONTENT_LIST"] });
    expect(parseDeclarations(JSON.stringify(client))).toEqual([client]);
    expect(parseDeclarations(JSON.stringify(client, null, "\t"))).toEqual([client]);
  });

  it("contains several clients under `clients`, each with a different slug", () => {
    const text = "clients:\n  - slug: one\n  - slug: two\n";
    expect(parseDeclarations(text).map(({ slug }) => slug)).toEqual(["one", "two"]);
    const twice = refused("clients:\n  - slug: one\n  - slug: one\n");
    expect(twice.problems).toMatchObject([{ place: "clients[1].slug", line: 3, column: 11 }]);
    expect(refused("clients:\n  - slug: one\nslug: two\n").message).toContain("the only field");
    expect(refused("clients: shop\n").message).toContain("must be a list");
  });

  it.each([
    ["", "empty"],
    ["# only a comment\n", "empty"],
    ["slug: [unclosed\n", "invalid YAML or JSON"],
    ["slug: one\nslug: two\n", "invalid YAML or JSON"],
    ["slug: !secret one\n", "invalid YAML or JSON"],
    ["\t: {", "invalid YAML or JSON"],
    ["slug: one\n---\nslug: two\n", "invalid YAML or JSON"],
    ["just a text", "must be a client"],
    ["- slug: one\n", "must be a client"],
    ["x".repeat(5_000_000), "too long"],
  ])("rejects %j", (text, message) => {
    expect(refused(text).message).toContain(message);
  });

  it("is rejected if its aliases expand without limit", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (const [name, of] of [..."bcdefgh"].map((letter, index) => [letter, "abcdefg"[index]] as const)) {
      lines.push(`${name}: &${name} [${Array(10).fill(`*${of}`).join(", ")}]`);
    }
    expect(refused(lines.join("\n")).message).toContain("anchors and aliases");
  });
});

describe("a problem", () => {
  it.each([
    ["slug: Shop\n", "slug", 1, 7, "lower-case"],
    ["slug: shop\nweborigins: []\n", "weborigins", 2, 1, "unknown field"],
    ["slug: shop\nwebOrigins: []\n", "webOrigins", 2, 13, "must have at least 1 entry"],
    ["slug: shop\nwebOrigins: https://a.example\n", "webOrigins", 2, 13, "must be a list"],
    ["slug: shop\nwebOrigins:\n  - https://a.example/\n", "webOrigins[0]", 3, 5, "An origin must consist of"],
    ["slug: shop\nwebOrigins:\n  - http://a.example\n", "webOrigins[0]", 3, 5, "https"],
    ["slug: shop\nwebOrigins: [https://a.example, https://a.example]\n", "webOrigins[1]", 2, 33, "duplicate value"],
    ["slug: shop\nreturnUrls:\n  - https://a.example/r#x\n", "returnUrls[0].url", 3, 5, "fragment"],
    ["slug: shop\nreturnUrls:\n  - https://a.example/r?ss_x=1\n", "returnUrls[0].url", 3, 5, "ss_"],
    [
      "slug: shop\nreturnUrls:\n  - url: https://a.example/r\n    confirmedNoOnwardRedirect: yes please\n",
      "returnUrls[0].confirmedNoOnwardRedirect",
      4,
      32,
      "must be true",
    ],
    [
      "slug: shop\nreturnUrls:\n  - url: https://a.example/r\n    confirmedNoOnwardRedirect: false\n",
      "returnUrls[0].confirmedNoOnwardRedirect",
      4,
      32,
      "must be true",
    ],
    ["slug: shop\nreturnUrls:\n  - href: https://a.example/r\n", "returnUrls[0].href", 3, 5, "unknown field"],
    [
      "slug: shop\neventEndpoints: [{ url: http://a.example, secretFrom: S }]\n",
      "eventEndpoints[0].url",
      2,
      25,
      "https",
    ],
    [
      "slug: shop\neventEndpoints: [{ url: https://a.example, secretFrom: whsec_x+y }]\n",
      "eventEndpoints[0].secretFrom",
      2,
      56,
      "the name of an environment variable",
    ],
    [
      "slug: shop\neventEndpoints: [{ url: https://a.example, secretFrom: S, types: [test] }]\n",
      "eventEndpoints[0].types[0]",
      2,
      67,
      "job.failed",
    ],
    [
      "slug: shop\neventEndpoints: [{ url: https://a.example }]\n",
      "eventEndpoints[0].secretFrom",
      2,
      18,
      "must be a string",
    ],
    ["slug: shop\nreturnUrls: [12]\n", "returnUrls[0]", 2, 14, "must be a URL"],
    ["slug: shop\nproviders: [PROVIDER_Z]\n", "providers[0]", 2, 13, SOCIAL_PROVIDERS.join(", ")],
    ["slug: shop\nenabled: yes\n", "enabled", 2, 10, "must be true or false"],
    ["slug: shop\ntenantKeys: [12]\n", "tenantKeys[0]", 2, 14, "must be a string"],
    ["slug: shop\npreviewReturnPaths: [connected]\n", "previewReturnPaths[0]", 2, 22, ""],
    ["displayName: Shop\n", "slug", 1, 1, "must be a string"],
    ["slug: shop\nidentityReturnUrls: []\n", "identityReturnUrls", 2, 1, "unknown field"],
  ])("in %j is at %s, line %i, column %i", (text, place, line, column, message) => {
    const { problems, ...error } = refused(text);
    expect(problems).toContainEqual({
      place,
      line,
      column,
      source: "client.yaml",
      message: expect.stringContaining(message),
    });
    expect(error).toMatchObject({ code: "DECLARATION_INVALID", kind: "configuration" });
  });

  it("lists all problems, one per line, in the format that editors parse", () => {
    const { message } = refused("slug: Shop\nenabled: 1\nproviders: [X]\n");
    expect(message.split("\n")).toHaveLength(3);
    expect(message).toContain("client.yaml:2:10: enabled: must be true or false");
  });

  it("repeats no value and no name that could be a secret in the wrong place", () => {
    for (const text of [
      `slug: ${KEY}\n`,
      `${KEY}: x\n`,
      `slug: shop\nwebOrigins: [${KEY}]\n`,
      `slug: shop\nproviders: [${KEY}]\n`,
      `slug: "${KEY}\n`,
      `slug: !${KEY} x\n`,
      `slug: *${KEY}\n`,
      KEY,
    ]) {
      const error = refused(text);
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(KEY.slice(-40));
    }
  });
});

it("validates a declaration in code by the same rules", () => {
  expect(checkDeclaration({ slug: "shop", webOrigins: ["https://shop.example"] })).toMatchObject({ slug: "shop" });
  expect(() => checkDeclaration({ slug: "shop", webOrigins: ["shop.example"] })).toThrow("webOrigins[0]");
  expect(() => checkDeclaration(undefined)).toThrow(DeclarationError);
});

it("round-trips a client through a declaration", () => {
  const client = {
    ...SHOP,
    enabled: true,
    previewOriginsEnabled: false,
    identityReturnUrls: [],
    idpIdentityEnabled: false,
    createdAt: "2026-03-01T00:00:00.000Z",
    updatedAt: "2026-03-01T00:00:00.000Z",
  };
  const declaration = declareClient(client as Parameters<typeof declareClient>[0]);
  expect(() => checkDeclaration(declaration)).not.toThrow();
  expect(Object.keys(declaration)).not.toContain("id");
});

it("the rules have no field that only the panel changes", () => {
  const schema = readFileSync(new URL("schema.ts", import.meta.url), "utf8");
  expect(schema).not.toMatch(/identityReturnUrls\s*:|idpIdentityEnabled/);
});
