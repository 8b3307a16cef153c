import { expect, test } from "vitest";
import { type Candidate, findProblems } from "./manifestRules.ts";
import type { Manifest } from "./publishedPackages.ts";

const SURROUNDINGS = {
  privateNames: ["@social-connect/domain"],
  placesOfBuild: ["/home/someone/project"],
  repository: "https://git.example.com/social/connect",
  isInRepository: (path: string) => path === "packages/thing" || path === "docs/a.md",
};

const MANIFEST: Manifest = {
  name: "@social-connect/thing",
  version: "1.2.3",
  description: "A thing",
  license: "MIT",
  type: "module",
  sideEffects: false,
  keywords: ["social-connect", "thing", "test"],
  main: "./dist/index.cjs",
  types: "./dist/index.d.cts",
  repository: { url: "git+https://git.example.com/social/connect.git", directory: "packages/thing" },
  homepage: "https://git.example.com/social/connect/tree/main/packages/thing#readme",
  bugs: { url: "https://git.example.com/social/connect/issues" },
  engines: { node: ">=22" },
  exports: {
    ".": {
      import: { types: "./dist/index.d.ts", default: "./dist/index.js" },
      require: { types: "./dist/index.d.cts", default: "./dist/index.cjs" },
    },
  },
  publishConfig: { access: "public", provenance: true },
  dependencies: { "@social-connect/contract": "^1.0.0" },
};

const FILES: Readonly<Record<string, string>> = {
  LICENSE: "MIT",
  "README.md": "# A thing",
  "dist/index.js": 'import { LIMITS } from "@social-connect/contract";',
  "dist/index.cjs": 'const contract = require("@social-connect/contract");',
  "dist/index.d.ts": "export {};",
  "dist/index.d.cts": "export {};",
};

function problemsOf(
  manifest: Partial<Manifest> = {},
  files: Readonly<Record<string, string | null>> = {},
  imported: readonly string[] = ["@social-connect/contract"],
) {
  const all = Object.entries({ ...FILES, ...files }).filter((entry): entry is [string, string] => entry[1] !== null);
  const texts = new Map(all);
  const candidate: Candidate = {
    manifest: { ...MANIFEST, ...manifest },
    paths: [...texts.keys()],
    read: (path) => texts.get(path) ?? "",
    imported,
  };
  return findProblems(candidate, SURROUNDINGS);
}

test("a package that has all it needs has no problem", () => {
  expect(problemsOf()).toEqual([]);
});

test.each<[string, Partial<Manifest>, Readonly<Record<string, string | null>>]>([
  ["no LICENSE", {}, { LICENSE: null }],
  ["no README.md", {}, { "README.md": null }],
  ["engines", { engines: {} }, {}],
  ["repository.url", { repository: { url: "git+https://git.example.com/other.git", directory: "packages/thing" } }, {}],
  ["repository.directory", { repository: { ...MANIFEST.repository, directory: "packages/none" } }, {}],
  ["homepage", { homepage: "thing.html" }, {}],
  ["bugs.url", { bugs: {} }, {}],
  ["keywords", { keywords: ["social-connect"] }, {}],
  ["sideEffects", { sideEffects: true }, {}],
  ["access", { publishConfig: { provenance: true } }, {}],
  ["provenance", { publishConfig: { access: "public" } }, {}],
  ["scripts", { scripts: { postinstall: "node x.js" } }, {}],
  ["devDependencies", { devDependencies: { vitest: "1.0.0" } }, {}],
  ["workspace:*", { dependencies: { "@social-connect/contract": "workspace:*" } }, {}],
  ["published nowhere", { peerDependencies: { "@social-connect/domain": "0.1.0" } }, {}],
  ["only for the workspace", { exports: { ".": { "@social-connect/source": "./dist/index.js" } } }, {}],
  ["exports nothing", { exports: {} }, {}],
  ["is source", {}, { "src/index.ts": "" }],
  ["is source", {}, { "dist/index.ts": "" }],
  ["of use in the workspace only", {}, { "dist/index.test.js": "" }],
  ["hidden file", {}, { "dist/.env": "" }],
  ["where it was built", {}, { "dist/a.js": "// /home/someone/project/packages/thing/src/index.ts" }],
  ["does not hold", {}, { "dist/a.js.map": '{"sources":["../src/index.ts"]}' }],
  ["where it was built", {}, { "dist/a.js.map": '{"sources":["/a/index.ts"],"sourcesContent":[""]}' }],
])("it is a problem: %s", (words, manifest, files) => {
  expect(problemsOf(manifest, files).join("\n")).toContain(words);
});

test("reports an import that the manifest does not declare, in any file", () => {
  expect(problemsOf({}, {}, ["yaml"])).toEqual(["its code imports yaml, which is not asked for"]);
});

test("accepts the files of applications in templates", () => {
  const files = { "templates/app/src/main.ts": 'import "express";', "templates/app/package.json": "{}" };
  expect(problemsOf({}, files)).toEqual([]);
});

test("accepts a source map that contains its sources", () => {
  const map = JSON.stringify({ sources: ["../src/index.ts"], sourcesContent: ["export {};"] });
  expect(problemsOf({}, { "dist/index.js.map": map })).toEqual([]);
});

test("the server names one version of what another version could break", () => {
  const server = { name: "@social-connect/server" };
  const ranges = (range: string) => ({ ...MANIFEST.dependencies, "pg-boss": range, "@prisma/client": range });
  expect(problemsOf({ ...server, dependencies: ranges("^12.35.0") }).join()).toMatch(
    /pg-boss \^12.*@prisma\/client \^12/,
  );
  expect(problemsOf({ ...server, dependencies: ranges("12.35.0") }).join()).not.toContain("could break");
  expect(problemsOf({ dependencies: ranges("^12.35.0") }).join()).not.toContain("could break");
});
