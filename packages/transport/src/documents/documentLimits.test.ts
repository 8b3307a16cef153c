import fc from "fast-check";
import { type DocumentNode, type FragmentDefinitionNode, parse, type SelectionSetNode } from "graphql";
import { describe, expect, test } from "vitest";
import { checkDocumentLimits, type DocumentShape, measureDocument } from "./documentLimits.ts";

const check = (text: string) => checkDocumentLimits(parse(text));
/** A chain of fields, one inside the other. */
const nested = (depth: number): string => (depth === 1 ? "a" : `a { ${nested(depth - 1)} }`);
const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`).join(" ");
const aliases = (count: number) => Array.from({ length: count }, (_, index) => `x${index}: __typename`).join(" ");

describe("depth", () => {
  test("8 is allowed and 9 is not", () => {
    expect(check(`{ ${nested(8)} }`)).toBeNull();
    expect(check(`{ ${nested(9)} }`)).toMatchObject({
      code: "BAD_USER_INPUT",
      message: expect.stringContaining("depth"),
    });
  });

  test("counts fields, not the fragments around them", () => {
    expect(measureDocument(parse("{ a { ... { ... on T { b } } ...F } } fragment F on T { c { d } }"))).toMatchObject({
      depth: 3,
    });
  });

  test("continues inside a fragment from where it is spread", () => {
    const document = (depth: number) => `{ a { b { ...F } } } fragment F on T { ${nested(depth)} }`;
    expect(check(document(6))).toBeNull();
    expect(check(document(7))).toMatchObject({ message: expect.stringContaining("depth") });
  });
});

describe("aliases", () => {
  test("8 are allowed and 9 are not, on nested __typename too", () => {
    expect(check(`{ a { ${aliases(8)} } }`)).toBeNull();
    expect(check(`{ a { ${aliases(9)} } }`)).toMatchObject({
      code: "BAD_USER_INPUT",
      message: expect.stringContaining("Alias"),
    });
  });

  test("count at each spread of their fragment", () => {
    const document = (count: number) => `{ a { ...F } b { ...F } } fragment F on T { ${aliases(count)} }`;
    expect(check(document(4))).toBeNull();
    expect(check(document(5))).toMatchObject({ message: expect.stringContaining("Alias") });
  });

  test("count when they repeat the field's own name", () => {
    expect(measureDocument(parse("{ a { id: id } }"))).toMatchObject({ aliases: 1 });
  });
});

describe("cost", () => {
  test("100 is allowed and 101 is not", () => {
    expect(measureDocument(parse(`{ a { ${fields(90)} } }`))).toMatchObject({ cost: 100 });
    expect(check(`{ a { ${fields(90)} } }`)).toBeNull();
    expect(check(`{ a { ${fields(91)} } }`)).toMatchObject({
      code: "BAD_USER_INPUT",
      message: expect.stringContaining("cost"),
    });
  });

  test("is 10 for a root field, so ten of them are allowed and eleven are not", () => {
    expect(check(`{ ${fields(10)} }`)).toBeNull();
    expect(check(`{ ${fields(11)} }`)).toMatchObject({ message: expect.stringContaining("cost") });
  });

  test.each([
    ["__typename at the root", "{ __typename }", 10],
    ["a root field in an inline fragment", "{ ... on Query { a } }", 10],
    ["a root field in a fragment", "{ ...F } fragment F on Query { a { b } }", 11],
    ["a fragment spread at the root and below", "{ ...F a { ...F } } fragment F on T { b { c } }", 10 + 1 + 10 + 1 + 1],
    ["a field asked for twice", "{ a a }", 20],
    ["a field that is skipped", "{ a @skip(if: true) b @include(if: false) { c } }", 21],
    ["a spread that is skipped", "{ ...F @skip(if: true) } fragment F on Query { a }", 10],
    ["a mutation", "mutation { a { b } }", 11],
    ["variables and arguments, which cost nothing", "query ($x: [Int!]) { a(x: $x, y: { z: [1, 2] }) { b } }", 11],
  ])("counts %s", (_, text, cost) => {
    expect(measureDocument(parse(text))).toMatchObject({ cost });
  });
});

describe("operations", () => {
  test.each([
    ["two", "query A { a } query B { b }"],
    ["none", "fragment F on T { a }"],
    ["none but a schema", "type T { a: Int }"],
  ])("are not %s", (_, text) => {
    expect(check(text)).toMatchObject({ code: "BAD_USER_INPUT", message: expect.stringContaining("one operation") });
  });

  test("count the dearest of several", () => {
    expect(measureDocument(parse("query A { a } query B { b { c { d } } }"))).toEqual({
      operations: 2,
      cost: 12,
      depth: 3,
      aliases: 0,
    });
  });
});

/** The same numbers by following every spread in turn: obviously right, and far too slow for hostile documents. */
function countOut(document: DocumentNode) {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === "FragmentDefinition")
      .map((definition) => [definition.name.value, definition.selectionSet]),
  );
  const counts = { cost: 0, depth: 0, aliases: 0 };
  const visit = (set: SelectionSetNode | undefined, depth: number): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === "FragmentSpread") visit(fragments.get(selection.name.value), depth);
      else if (selection.kind === "InlineFragment") visit(selection.selectionSet, depth);
      else {
        counts.cost += depth === 0 ? 10 : 1;
        counts.depth = Math.max(counts.depth, depth + 1);
        if (selection.alias !== undefined) counts.aliases += 1;
        visit(selection.selectionSet, depth + 1);
      }
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind === "OperationDefinition") visit(definition.selectionSet, 0);
  }
  return counts;
}

test("the measure equals what following every spread counts, for any document without circles", () => {
  // Fragment n spreads only fragments above n, so there is no circle.
  const selectionSet = (above: number): fc.Arbitrary<string> =>
    fc.letrec<{ set: string; selection: string }>((tie) => ({
      set: fc
        .array(tie("selection"), { minLength: 1, maxLength: 4 })
        .map((selections) => `{ ${selections.join(" ")} }`),
      selection: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom("a", "b", "x: a", "__typename", "y: __typename"),
        above < 4 ? fc.integer({ min: above + 1, max: 4 }).map((n) => `...F${n}`) : fc.constant("c"),
        tie("set").map((set) => `a ${set}`),
        tie("set").map((set) => `... on T ${set}`),
        tie("set").map((set) => `z: a @skip(if: true) ${set}`),
      ),
    })).set;
  const document = fc
    .tuple(selectionSet(-1), ...[0, 1, 2, 3, 4].map(selectionSet))
    .map(([operation, ...sets]) => [operation, ...sets.map((set, n) => `fragment F${n} on T ${set}`)].join("\n"));
  fc.assert(
    fc.property(document, (text) => {
      const parsed = parse(text);
      expect(measureDocument(parsed)).toEqual({ operations: 1, ...countOut(parsed) });
    }),
    { numRuns: 300 },
  );
});

describe("a hostile document is rejected immediately", () => {
  const operation = (selections: object[]): DocumentShape => ({
    definitions: [{ kind: "OperationDefinition", selectionSet: { selections } as never }],
  });

  test.each([
    ["a spread of itself", "{ ...A } fragment A on T { a { ...A } }"],
    ["two that spread each other", "{ a { ...A } } fragment A on T { ...B } fragment B on T { b ...A }"],
    [
      "a circle reached from outside it",
      "{ ...X } fragment X on T { ...A } fragment A on T { ...B } fragment B on T { ...A }",
    ],
    [
      "a circle that is entered in the middle",
      "fragment A on T { ...B } fragment B on T { ...C a } fragment C on T { ...B } { ...A }",
    ],
  ])("with %s", (_, text) => {
    expect(check(text)).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test("but one whose circle is not spread is measured by what it asks for", () => {
    expect(measureDocument(parse("{ a } fragment A on T { ...A }"))).toEqual({
      operations: 1,
      cost: 10,
      depth: 1,
      aliases: 0,
    });
  });

  test("with 2,000 fragments that each spread the next one twice", () => {
    const fragments = Array.from({ length: 2_000 }, (_, n) => `fragment F${n} on T { ...F${n + 1} ...F${n + 1} }`);
    const text = `{ ...F0 } ${fragments.join(" ")} fragment F2000 on T { a }`;
    expect(check(text)).toMatchObject({ message: expect.stringContaining("cost") });
  });

  test("with a chain of 50,000 fragments, in either order", () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => ({
      kind: "FragmentDefinition",
      name: { value: `F${n}` },
      selectionSet: { selections: [{ kind: "Field" }, { kind: "FragmentSpread", name: { value: `F${n + 1}` } }] },
    }));
    const start = operation([{ kind: "FragmentSpread", name: { value: "F0" } }]).definitions;
    for (const definitions of [
      [...start, ...chain],
      [...chain.toReversed(), ...start],
    ]) {
      expect(measureDocument({ definitions })).toEqual({ operations: 1, cost: 500_000, depth: 1, aliases: 0 });
    }
  });

  test.each(["Field", "InlineFragment"])("with a %s 100,000 deep", (kind) => {
    let selection: object = { kind: "Field", alias: { value: "x" } };
    for (let depth = 0; depth < 100_000; depth += 1) selection = { kind, selectionSet: { selections: [selection] } };
    const measured = measureDocument(operation([selection]));
    expect(measured).toMatchObject(kind === "Field" ? { depth: 100_001 } : { cost: 10, depth: 1, aliases: 1 });
  });

  test("with a spread of a fragment that does not exist, by the rest of it", () => {
    expect(measureDocument(parse("{ a { ...Missing } }"))).toMatchObject({ cost: 10, depth: 1 });
  });
});
