import { expect, test } from "vitest";
import { isCompiledBy, KINDS } from "./kinds.ts";

test("every resolution is compiled by every TypeScript that has it", () => {
  const versions = [5, 5.4, 5.9, 6, 7];
  const matrix = KINDS.map((kind) => [kind.name, ...versions.filter((version) => isCompiledBy(kind, version))]);
  expect(matrix).toEqual([
    ["node10-commonjs", 5, 5.4, 5.9, 6],
    ["node16-commonjs", ...versions],
    ["node16-esm", ...versions],
    ["nodenext-commonjs", ...versions],
    ["nodenext-esm", ...versions],
    ["bundler", ...versions],
    ["bundler-commonjs", 6, 7],
  ]);
});
