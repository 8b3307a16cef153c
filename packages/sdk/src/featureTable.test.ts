/** The table of features names a test for each of them: it must exist under that title. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const PAGE = new URL("../../../docs/explanation/sdk-features.md", import.meta.url);
const ROWS = [
  ...readFileSync(PAGE, "utf8").matchAll(/^\| (?!Feature|---)([^|]+) \|[^|]*\|[^|]*\| \[(.+)\]\((\S+)\) \|$/gm),
].map(([, feature = "", title = "", path = ""]) => ({ feature, title, path }));

/** Whether a source has a test with this title. */
function hasTest(source: string, title: string): boolean {
  const quoted = JSON.stringify(title).slice(1, -1).replaceAll("\\\\", "\\");
  return source.split("\n").some((line) => [`"${quoted}",`, `"${quoted}"`].some((text) => line.includes(text)));
}

it("every row of the table names a test", () => {
  const lines = readFileSync(PAGE, "utf8").split("\n");
  expect(ROWS).toHaveLength(lines.filter((line) => line.startsWith("| ")).length - 2);
  expect(ROWS.length).toBeGreaterThan(20);
});

it.each(ROWS)("$feature: its test exists", ({ title, path }) => {
  expect(hasTest(readFileSync(new URL(path, PAGE), "utf8"), title), `${title} in ${path}`).toBe(true);
});

it("control: finds a test that does not exist", () => {
  const source = readFileSync(new URL("request.test.ts", import.meta.url), "utf8");
  expect(hasTest(source, "as text is sent with its variables and the key, and returns its data")).toBe(true);
  expect(hasTest(source, "as text is sent with its variables")).toBe(false);
  expect(hasTest("", "after $name")).toBe(false);
});
