import { expect, test } from "vitest";
import { DeclarationError } from "./declarationError.ts";
import { parseDeclarations } from "./parseDeclarations.ts";

const MANY = 60_000;
const lines = (line: (index: number) => string) => Array.from({ length: MANY }, (_, index) => line(index)).join("\n");

function problemsOf(text: string) {
  try {
    parseDeclarations(text, { source: "clients.yaml" });
  } catch (error) {
    if (error instanceof DeclarationError) return error.problems;
    throw error;
  }
  return [];
}

test.each<[string, string, RegExp]>([
  ["60,000 keys", lines((index) => `key${index}: 1`), /./],
  ["60,000 equal keys", lines(() => "slug: shop"), /DUPLICATE_KEY/],
  ["60,000 aliases", `anchor: &a x\nlist:\n${lines(() => "  - *a")}`, /more than 100 aliases/],
  ["60,000 open brackets", "[".repeat(MANY), /RESOURCE_EXHAUSTION/],
  ["60,000 broken lines", lines(() => '"'), /invalid YAML or JSON/],
])("a file with %s is rejected with the line of its first problem", (_, text, message) => {
  const [first] = problemsOf(text);
  expect(first?.message).toMatch(message);
  expect(first).toMatchObject({ source: "clients.yaml", line: expect.any(Number), column: expect.any(Number) });
});

test("aliases that multiply are rejected", () => {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`)}]`,
  );
  expect(problemsOf(`a0: &a0 [x]\n${levels.join("\n")}`)[0]?.message).toMatch(/aliases cannot be resolved/);
});

test("a broken file has at most 20 problems of its syntax", () => {
  expect(problemsOf(lines(() => '"')).length).toBeLessThanOrEqual(20);
});
