import { expect, test } from "vitest";
import { checkLanguage } from "./checkLanguage.ts";

// textlint-disable plain-english -- the phrases are the test data
const at = async (path: string, text: string) =>
  (await checkLanguage(path, text)).map(({ line, column }) => `${line}:${column}`);

test.each([
  ["Markdown", "a.md", "# Keys\n\nThe store is mended.", "3:14"],
  ["a phrase over two lines of Markdown", "a.md", "It is told\napart.", "1:7"],
  ["a table", "a.md", "| Key | Use |\n| --- | --- |\n| a | anew |\n", "3:7"],
  ["a line comment", "a.ts", "const a = 1; // Surely it is read.", "1:17"],
  ["a phrase over two line comments", "a.ts", "// Each is held\n// against the schema.\nconst a = 1;", "1:12"],
  ["a phrase over two lines of a docstring", "a.ts", "/**\n * It is held\n * against it.\n */\nconst a = 1;", "2:10"],
  ["a test title", "a.test.ts", 'test("starts anew", () => {});', "1:14"],
  ["the title of a table of tests", "a.test.ts", 'it.each([1])("%s is mended", () => {});', "1:21"],
  ["a message", "a.ts", 'throw new Error("The caller is a stranger here.");', "1:34"],
  ["a template", "a.ts", "const message = `not $" + "{name} is known anew here`;", "1:39"],
  ["text of a page", "a.tsx", "export const a = <p>Strangers read it</p>;", "1:21"],
  ["a schema's comment", "a.prisma", "/// Written anew each time.\nmodel A {\n}", "1:13"],
  ["a script's comment", "a.sh", "true # fine\n# Written anew.\n", "2:11"],
  ["a sentence that begins with Of", "a.ts", "/** Of the fullest budget. */\nconst a = 1;", "1:5"],
])("finds a phrase in %s", async (_, path, text, position) => {
  expect(await at(path, text)).toEqual([position]);
});

test.each([
  ["an identifier", "a.ts", "const anew = { stranger: 1 };"],
  ["quoted code", "a.ts", "// The field `anew` is null.\nconst a = 1;"],
  ["code in Markdown", "a.md", "The field `anew`:\n\n    anew: 1\n"],
  ["a word that is part of another", "a.md", "A secure connection; untold words-of-the-day."],
  [
    "ordinary words",
    "a.md",
    "It is kept alone, looks gone, and stands until the user is told. Of 50 calls one passes. Of course.",
  ],
  ["a query", "a.ts", 'const sql = "SELECT anew FROM stranger WHERE mend = 1";'],
])("spares %s", async (_, path, text) => {
  expect(await at(path, text)).toEqual([]);
});

test("an exception ends at its end comment and needs a reason", async () => {
  const code = (comment: string) => `${comment}\n// anew\nconst a = 1;\n// textlint-enable\n// anew\nconst b = 1;`;
  expect(await at("a.ts", code("// textlint-disable plain-english -- quotes the provider"))).toEqual(["5:4"]);
  expect(await at("a.ts", code("// textlint-disable plain-english"))).toEqual(["5:4", "1:1"]);
  const page = (comment: string) => `${comment}\n\nanew\n\n<!-- textlint-enable -->\n\nanew`;
  expect(await at("a.md", page("<!-- textlint-disable plain-english -- quotes the provider -->"))).toEqual(["7:1"]);
  expect(await at("a.md", page("<!-- textlint-disable -->"))).toEqual(["7:1", "1:1"]);
});
