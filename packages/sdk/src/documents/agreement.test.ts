/** What the client refuses is what the service refuses: compared with the service's own rules on random documents. */
import { LIMITS as CONTRACT } from "@social-connect/contract";
import { checkDocumentLimits, MAX_DOCUMENT_TOKENS, measureDocument } from "@social-connect/transport";
import fc from "fast-check";
import { parse, print } from "graphql";
import { expect, it } from "vitest";
import { LIMITS } from "../_generated/limits.ts";
import { SHIPPED_DOCUMENTS } from "../testing/shippedDocuments.ts";
import { ownRequest } from "./ownDocument.ts";
import { MAX_TOKENS } from "./parseDocument.ts";
import { printDocument } from "./printDocument.ts";

it("has the limits of the contract", () => {
  const { windowDays, ...limits } = LIMITS;
  expect(CONTRACT).toMatchObject(limits);
  expect(windowDays).toBe(CONTRACT.windowSpanMs / 86_400_000);
  expect(MAX_TOKENS).toBe(MAX_DOCUMENT_TOKENS);
});

const name = fc.constantFrom("a", "b", "status", "content", "on", "query", "fragment");
const directives = fc.constantFrom("", " @include(if: $x)", ' @a(b: {c: [1, "}"]}) @d');
const values = fc.constantFrom("", "(a: 1)", '(a: "{ ) \\" #")', '(a: """ } " \\""" """)', "(a: [{b: $c}], d: E)");
const { selection } = fc.letrec<{ selection: string; node: string }>((tie) => ({
  selection: fc.array(tie("node"), { minLength: 1, maxLength: 4 }).map((nodes) => `{ ${nodes.join(" ")} }`),
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.tuple(fc.constantFrom("", "x: ", "y: "), name, values, directives).map((parts) => parts.join("")),
    fc.tuple(name, values, directives, tie("selection")).map((parts) => parts.join(" ")),
    fc.tuple(fc.constantFrom("... ", "... on T "), directives, tie("selection")).map((parts) => parts.join(" ")),
    fc.tuple(fc.constantFrom("...F", "...G"), directives).map((parts) => parts.join(" ")),
  ),
}));
const repeated = fc.tuple(selection, fc.integer({ min: 1, max: 9 })).map(([set, times]) => {
  return `{ ${`... ${set} `.repeat(times)} }`;
});
const documents = fc
  .tuple(fc.constantFrom("", "query ", "mutation M($x: Boolean = true, $c: [Int!]!) "), repeated, selection, selection)
  .map(([head, root, f, g]) => `# a comment {\n${head}${root} fragment F on T ${f} fragment G on T ${g}`);

function hasFewTokens(text: string): boolean {
  try {
    parse(text, { maxTokens: MAX_DOCUMENT_TOKENS });
    return true;
  } catch {
    return false;
  }
}

it("refuses a document exactly if the service does", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(documents, (text) => {
      fc.pre(hasFewTokens(text));
      const parsed = parse(text);
      const refusal = checkDocumentLimits(parsed);
      let error: unknown;
      try {
        ownRequest(text, {});
      } catch (thrown) {
        error = thrown;
      }
      seen[refusal === null ? "accepted" : "refused"] += 1;
      expect(error === undefined, `${JSON.stringify(measureDocument(parsed))} ${text}`).toBe(refusal === null);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
});

it("writes a parsed document as graphql-js understands it", () => {
  const kitchenSink = `
    query Q($a: [Int!]! = [1, -2.5e3] @d, $b: In = {c: {d: null}, e: []}) @d(a: true) {
      x: a(b: $b, c: "line\\n\\u0000\\"", d: """block "text" \\""" end""", e: ENUM, f: false) @e { ... { b } ... on T @f { c } ...F @g }
    }
    fragment F on T @h { z }`;
  const random = fc.sample(documents, 20);
  for (const text of [kitchenSink, ...random, ...SHIPPED_DOCUMENTS.map((document) => document.text)]) {
    const parsed = parse(text, { noLocation: true });
    const normalized = parse(print(parsed), { noLocation: true });
    const written = parse(printDocument(parsed), { noLocation: true });
    // A block string is written as a string.
    const plain = (document: unknown) =>
      JSON.parse(JSON.stringify(document, (key, value) => (key === "block" ? false : value)));
    expect(plain(written)).toEqual(plain(normalized));
  }
});

it("takes linear time for any text", () => {
  const pieces = [
    "{",
    "(",
    "...",
    '"',
    '"""',
    '\\"""',
    "a",
    "a:",
    "@",
    "#",
    "1",
    "-",
    "$",
    "\u0000",
    "ä",
    " ",
    "{a ",
    '"\\',
  ];
  for (const piece of pieces) {
    for (const start of ["", "{a(", "query Q"]) {
      expect(() => ownRequest(start + piece.repeat(60_000), {})).toThrow(/document|GraphQL/);
    }
  }
});

it("takes no time for fragments that spread each other", () => {
  const fragments = Array.from({ length: 40 }, (_, at) => `fragment F${at} on T { ...F${at + 1} ...F${at + 1} }`);
  expect(() => ownRequest(`{ ...F0 } ${fragments.join(" ")} fragment F40 on T { a }`, {})).toThrow("cost 100");
});
