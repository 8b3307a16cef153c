import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildSchema, parse } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { expect, test } from "vitest";
import { documentSize } from "./documentSize.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const schema = buildSchema("type Leaf { name(a: String): String self: Leaf } type Query { leaf: Leaf }");

const names = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join(" ");
const SHAPES: readonly (readonly [name: string, of: (index: number) => string])[] = [
  ["a short one", (index) => `{ x${index}: leaf { name } }`],
  ["a long alias", (index) => `{ ${"x".repeat(20_000)}${index}: leaf { name } }`],
  ["many fields", (index) => `query Q${index} { leaf { ${names(90, (i) => `f${i}: name`)} } }`],
  ["many variables", (index) => `query(${names(150, (i) => `$v${i}x${index}: Boolean = true`)}) { leaf { name } }`],
  ["long arguments", (index) => `{ leaf { ${names(20, (i) => `f${i}: name(a: "${"é".repeat(500)}${index}")`)} } }`],
  [
    "fragments",
    (index) =>
      `{ leaf { ${names(20, (i) => `...F${i}`)} } } ${names(20, (i) => `fragment F${i} on Leaf { a${index}: name }`)}`,
  ],
];

/** The bytes per value that `make` returns, measured over `count` values. */
function measure<Made>(count: number, make: (index: number) => Made): number {
  const made: Made[] = [make(0)];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 1; index <= count; index += 1) made.push(make(index));
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  expect(made).toHaveLength(count + 1);
  return grown / count;
}

test.each(SHAPES)("the estimate covers the size of %s, parsed and compiled, without a large excess", (_, textOf) => {
  const parsed = (index: number) => {
    const text = Buffer.from(textOf(index)).toString();
    return { text, document: parse(text, { noLocation: true }) };
  };
  const { text, document } = parsed(0);
  const { parsedBytes, compiledBytes } = documentSize(text, document);
  const measuredParsed = measure(1_000, parsed);
  expect(measuredParsed).toBeLessThan(parsedBytes);
  expect(measuredParsed).toBeGreaterThan(parsedBytes / 8);
  const both = measure(60, (index) => {
    const one = parsed(index);
    const compiled = compileQuery(schema, one.document);
    if (!isCompiledQuery(compiled)) throw new Error("it did not compile");
    compiled.query(undefined, {}, {});
    return { one, compiled };
  });
  expect(both).toBeLessThan(parsedBytes + compiledBytes);
});
