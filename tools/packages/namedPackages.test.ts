import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unknownPackages } from "./namedPackages.ts";
import { listPublished, ROOT } from "./publishedPackages.ts";

const OWN = listPublished().map(({ name }) => name);

test.each([
  ["npx social-connect start", ["social-connect"]],
  ["run `npx --yes social-connect-admin plan` first", ["social-connect-admin"]],
  ["npx -p @other/tool social-connect", ["@other/tool"]],
  ["npm install --save-dev @social-connect/mokcs msw vitest", ["@social-connect/mokcs"]],
  ["pnpm dlx social-connect@latest dev", ["social-connect"]],
  ["npm create social-connect-app@latest", ["social-connect-app"]],
  ["bunx left && pnpm add right", ["right", "left"]],
])("finds an unknown package in %j", (text, names) => {
  expect(unknownPackages(text, OWN).map(({ name }) => name)).toEqual(names);
});

test.each([
  "npx @social-connect/server dev",
  "npx --yes --package=@social-connect/admin-sdk social-connect-admin clients list",
  "npm install --omit=optional @social-connect/server@0.1.0",
  "npx --yes pnpm@12 dev",
  "npm install ./packages/*.tgz",
])("accepts %j", (text) => {
  expect(unknownPackages(text, OWN)).toEqual([]);
});

/** What readers and users see: documentation, messages in the code, scripts and deployment files; not comments of tools. */
test("no text of the project names a package that is not ours", () => {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 25 })
    .split("\0")
    .filter((path) => /\.(?:md|[cm]?[jt]sx?|py|ya?ml|service|sh|html)$|Dockerfile$/.test(path))
    .filter((path) => !/_generated\/|pnpm-lock|CHANGELOG|^tools\//.test(path));
  const found = files.flatMap((path) =>
    unknownPackages(readFileSync(join(ROOT, path), "utf8"), OWN).map(({ line, name }) => `${path}:${line}: ${name}`),
  );
  expect(found).toEqual([]);
  // The control: the commands are there.
  expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain("npx @social-connect/server dev");
});
