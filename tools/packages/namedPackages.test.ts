import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "../repository/listFiles.ts";
import { listPublished, ROOT } from "./publishedPackages.ts";

const OWN = listPublished().map(({ name }) => name);
/** Packages of others that the docs ask readers to install or run. */
const OTHERS = "express hono jest msw next oidc-provider pnpm react tsx typescript vitest @opentelemetry/api".split(
  " ",
);

const INSTALLS = /\b(?:(?:npm|pnpm|yarn|bun) (?:install|i|add)|deno add)\b([^`#\n]*)/g;
const RUNS = /(?:\bnpx|\bbunx|\bnpm (?:exec|x)|\b(?:pnpm|yarn) dlx)(?![\w.-])([^`#\n]*)/g;
const CREATES = /\b(?:npm|pnpm|yarn|bun) (?:create|init) ([^`#\n]*)/g;
const NAME = /^(?:npm:)?((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:@[\w.^~<>=*-]+)?$/;

/** The packages in the commands of a text that are neither ours nor known, with the number of their line. */
function unknownPackages(text: string) {
  return text.split("\n").flatMap((line, index) => {
    const installed = [...line.matchAll(INSTALLS)].flatMap(([, rest = ""]) => argumentsOf(rest));
    const run = [...line.matchAll(RUNS)].flatMap(([, rest = ""]) => {
      // The package of its option, or else its first argument.
      const [, option] = /(?:--package[= ]|-p )(\S+)/.exec(rest) ?? [];
      return argumentsOf(option ?? rest).slice(0, option === undefined ? 1 : undefined);
    });
    const created = [...line.matchAll(CREATES)].flatMap(([, rest = ""]) => {
      // `npm create @scope/name` runs `@scope/create-name`, and `@scope` runs `@scope/create`.
      const first = argumentsOf(rest).slice(0, 1);
      return first.map((name) => (name.startsWith("@") && !name.includes("/") ? `${name}/create` : name));
    });
    const names = [...installed, ...run, ...created];
    return names.filter((name) => ![...OWN, ...OTHERS].includes(name)).map((name) => ({ line: index + 1, name }));
  });
}

/** The packages that are named before the end of a command. */
function argumentsOf(rest: string): readonly string[] {
  const names: string[] = [];
  for (const word of (rest.split(/(?:&&|[|;"')(])/)[0] ?? "").trim().split(/\s+/)) {
    if (word.startsWith("-") || word === "") continue;
    const name = /^@[\w.-]+(?:@[\w.]+)?$/.test(word) ? word.replace(/(?<=.)@.*/, "") : NAME.exec(word)?.[1];
    // A path, a tarball or the words of a sentence.
    if (name === undefined) break;
    names.push(name);
  }
  return names;
}

test.each([
  ["npx social-connect start", ["social-connect"]],
  ["run `npx --yes social-connect-admin plan` first", ["social-connect-admin"]],
  ["npx -p @other/tool social-connect", ["@other/tool"]],
  ["npm install --save-dev @social-connect/mokcs msw vitest", ["@social-connect/mokcs"]],
  ["pnpm dlx social-connect@latest dev", ["social-connect"]],
  ["npm create social-connect-app@latest", ["social-connect-app"]],
  ["bunx left && pnpm add right", ["right", "left"]],
])("finds an unknown package in %j", (text, names) => {
  expect(unknownPackages(text).map(({ name }) => name)).toEqual(names);
});

test.each([
  "npx @social-connect/server dev",
  "npx --yes --package=@social-connect/admin-sdk social-connect-admin clients list",
  "npm install --omit=optional @social-connect/server@0.1.0",
  "npx --yes pnpm@12 dev",
  "npm install ./packages/*.tgz",
])("accepts %j", (text) => {
  expect(unknownPackages(text)).toEqual([]);
});

/** What readers and users see: documentation, messages in the code, scripts and deployment files; not comments of tools. */
test("no text of the project names a package that is not ours", () => {
  const files = listFiles(ROOT)
    .filter((path) => /\.(?:md|[cm]?[jt]sx?|py|ya?ml|service|sh|html)$|Dockerfile$/.test(path))
    .filter((path) => !/_generated\/|pnpm-lock|CHANGELOG|^tools\//.test(path));
  const found = files.flatMap((path) =>
    unknownPackages(readFileSync(join(ROOT, path), "utf8")).map(({ line, name }) => `${path}:${line}: ${name}`),
  );
  expect(found).toEqual([]);
  // The control: the commands are there.
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain("npx @social-connect/server dev");
});
