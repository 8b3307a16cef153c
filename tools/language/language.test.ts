import { expect, test } from "vitest";
import { checkLanguage } from "./checkLanguage.ts";

// textlint-disable plain-english -- the phrases are the test data
const at = async (path: string, text: string) =>
  (await checkLanguage(path, text)).map(({ line, column }) => `${line}:${column}`);

test.each([
  ["Markdown", "a.md", "# Keys\n\nThe caller is told.", "3:15"],
  ["a phrase over two lines of Markdown", "a.md", "It is checked at\nonce.", "1:15"],
  ["a table", "a.md", "| Key | Use |\n| --- | --- |\n| a | told |\n", "3:7"],
  ["a line comment", "a.ts", "const a = 1; // Nobody reads it.", "1:17"],
  ["a phrase over two line comments", "a.ts", "// Each is held\n// against the schema.\nconst a = 1;", "1:12"],
  ["a phrase over two lines of a docstring", "a.ts", "/**\n * It is held\n * against it.\n */\nconst a = 1;", "2:10"],
  ["a test title", "a.test.ts", 'test("starts anew", () => {});', "1:14"],
  ["the title of a table of tests", "a.test.ts", 'it.each([1])("%s is told", () => {});', "1:21"],
  ["a message", "a.ts", 'throw new Error("The caller is told about it.");', "1:32"],
  ["a template", "a.ts", "const message = `not $" + "{name} is known anew here`;", "1:39"],
  ["text of a page", "a.tsx", "export const a = <p>Nobody reads it</p>;", "1:21"],
  ["a schema's comment", "a.prisma", "/// Written anew each time.\nmodel A {\n}", "1:13"],
  ["a script's comment", "a.sh", "true # fine\n# Written anew.\n", "2:11"],
])("finds a phrase in %s", async (_, path, text, position) => {
  expect(await at(path, text)).toEqual([position]);
});

test.each([
  ["an identifier", "a.ts", "const told = { nobody: 1 };"],
  ["quoted code", "a.ts", "// The field `told` is null.\nconst a = 1;"],
  ["code in Markdown", "a.md", "The field `told`:\n\n    told: 1\n"],
  ["a word that is part of another", "a.md", "A standalone, keep-alive connection; untold."],
  ["a term of the field", "a.md", "The server responds with 410 Gone and looks up the key."],
  ["a query", "a.ts", 'const sql = "SELECT told FROM nobody WHERE anew = 1";'],
])("spares %s", async (_, path, text) => {
  expect(await at(path, text)).toEqual([]);
});

test("an exception ends at its end comment and needs a reason", async () => {
  const code = (comment: string) => `${comment}\n// told\nconst a = 1;\n// textlint-enable\n// told\nconst b = 1;`;
  expect(await at("a.ts", code("// textlint-disable plain-english -- quotes the provider"))).toEqual(["5:4"]);
  expect(await at("a.ts", code("// textlint-disable plain-english"))).toEqual(["5:4", "1:1"]);
  const page = (comment: string) => `${comment}\n\ntold\n\n<!-- textlint-enable -->\n\ntold`;
  expect(await at("a.md", page("<!-- textlint-disable plain-english -- quotes the provider -->"))).toEqual(["7:1"]);
  expect(await at("a.md", page("<!-- textlint-disable -->"))).toEqual(["7:1", "1:1"]);
});
