import { expect, test } from "vitest";
import { listMarkdown } from "../snippets.ts";
import { isTypeScript, listSamples, ownCommands, samplesOf } from "./samples.ts";

test("the samples of a page are its blocks and commands, with their lines and markers", () => {
  const page =
    "Run `pnpm dev` or `notOurs`.\n\n    pnpm test\n\n<!-- snippet: a.ts#b -->\n```ts\na();\n```\n<!-- /snippet -->\n- x\n\n  ```sh\n  b\n  ```\n";
  expect(
    samplesOf("p.md", page).map(({ language, line, code, marker }) => [language, line, code.trim(), marker]),
  ).toEqual([
    ["command", 1, "pnpm dev", null],
    ["sh", 3, "pnpm test", null],
    ["ts", 7, "a();", "snippet: a.ts#b"],
    ["sh", 13, "b", null],
  ]);
});

test("two files in one block are two samples", () => {
  const block = "```ts\n// lib/a.ts: text\na();\n\n// app/b.ts\n\nb();\n```\n";
  expect(samplesOf("p.md", block).map(({ code }) => code)).toEqual([
    "// lib/a.ts: text\na();\n",
    "// app/b.ts\n\nb();\n",
  ]);
});

test("our own commands lose their environment, comments and pipes", () => {
  const code =
    "PORT=1 social-connect start --role api # text\ncurl x\nnpx --yes @social-connect/mocks serve \\\n --json > a &\n";
  const commands = ownCommands({ page: "", line: 1, language: "sh", code, marker: null });
  expect(commands.map((command) => command.replaceAll(/ +/g, " "))).toEqual([
    "social-connect start --role api",
    "npx @social-connect/mocks serve --json",
  ]);
});

test("every block of a page is checked, run or compared by a program", () => {
  const untaken = listSamples().filter((sample) => {
    const { language, marker } = sample;
    // Output, diagrams, and what the programs of the list below check by its language.
    if (marker !== null || isTypeScript(sample) || ["sh", "command", "text", "mermaid"].includes(language))
      return false;
    return !(language in TAKERS);
  });
  expect(untaken.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  // The control: every page is read.
  expect(new Set(listSamples().map(({ page }) => page)).size).toBeGreaterThan(listMarkdown().length / 4);
});

/** Languages without a compiler here, and who takes them. */
const TAKERS = {
  yaml: "packages/admin-sdk/src/guides.test.ts and packages/mocks/src/readme/seedFile.test.ts",
  python: "tools/samples/inShell.ts",
  html: "the form of the launch page, which packages/sdk tests",
  json: "packages/conformance, and examples/hono-app/src/deployments.ownProcess.test.ts",
  sql: "system-tests/import/guide.test.ts",
  "": "commands of packages/conformance",
};
