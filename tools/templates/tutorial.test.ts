import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TEMPLATES } from "../../packages/create/src/index.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { commandsOf, forTemplate } from "./tutorial.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const commands = commandsOf(read("docs/tutorials/your-own-app.md"));

test("the commands of a page are the lines of its shell blocks", () => {
  const page = "text\n```sh\none\ntwo three\n```\n```ts\nno\n```\n    not this\n```sh\nnpm run dev\n```\n";
  expect(commandsOf(page)).toEqual([
    { line: "one", isLongRunning: false },
    { line: "two three", isLongRunning: false },
    { line: "npm run dev", isLongRunning: true },
  ]);
});

test("the tutorial reaches a linked account in at most 15 commands and edits", () => {
  for (const { name } of TEMPLATES) {
    const { length } = forTemplate(commands, name);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(15);
  }
});

test("each template has its own first command, and a README with the commands that follow", () => {
  const long = commands.filter(({ isLongRunning }) => isLongRunning).map(({ line }) => line);
  for (const { name } of TEMPLATES) {
    const own = forTemplate(commands, name).map(({ line }) => line);
    const create = own.filter((line) => line.startsWith("npm create"));
    expect(create).toEqual([`npm create @social-connect@latest my-app -- --template ${name}`]);
    const readme = read(`packages/create/templates/${name}/README.md`);
    for (const line of ["npm install", ...long]) expect(readme, name).toContain(`    ${line}`);
  }
});

test("the pages of the documentation begin with the tutorial", () => {
  const first = (path: string) => /\]\((?!https?:)([^)#]+\.md)[^)]*\)/.exec(read(path))?.[1];
  expect(first("README.md")).toBe("docs/tutorials/your-own-app.md");
  expect(first("docs/README.md")).toBe("tutorials/your-own-app.md");
  expect(first("docs/tutorials/README.md")).toBe("your-own-app.md");
});
