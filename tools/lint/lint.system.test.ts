import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findFolderCycles, lintImports } from "./lintImports.ts";
import { lintServerSource } from "./serverSource.ts";

const WORKSPACE = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "lint-")));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Lints a workspace that has one import: from the first file, of the second. */
async function problemsOfImport(from: string, to: string, statement: string): Promise<string[]> {
  await write({ [to]: "export const x = 1;\n", [from]: statement });
  return (await lintImports(root)).problems;
}

const MODULE = "apps/server/src/modules/connect/a.ts";
const PROVIDER = "apps/server/src/providers/provider-a/a.ts";

test.each([
  ["apps/server/src/graphql/consumer/a.ts", "apps/server/src/modules/status/b.ts", "../../modules/status/b.ts"],
  [MODULE, "apps/server/src/modules/connections/b.ts", "../connections/b.ts"],
  [MODULE, "apps/server/src/modules/connect/store.ts", "./store.ts"],
  [MODULE, "apps/server/src/providers/contract.ts", "../../providers/contract.ts"],
  [PROVIDER, "apps/server/src/platform/network/egress.ts", "../../platform/network/egress.ts"],
  ["packages/domain/src/a.ts", "packages/contract/src/b.ts", "../../contract/src/b.ts"],
  ["apps/server/src/main.ts", "apps/server/src/worker/worker.ts", "./worker/worker.ts"],
  ["apps/server/src/modules/a/a.test.ts", "apps/server/src/modules/b/store.ts", "../b/store.ts"],
])("%s may import %s", async (from, to, specifier) => {
  expect(await problemsOfImport(from, to, `import { x } from "${specifier}";\n`)).toEqual([]);
});

test.each([
  [MODULE, "apps/server/src/graphql/b.ts", "../../graphql/b.ts", "imports-of-modules"],
  [MODULE, "apps/server/src/http/server.ts", "../../http/server.ts", "imports-of-modules"],
  [MODULE, "apps/server/src/modules/connections/store.ts", "../connections/store.ts", "store-is-private"],
  [
    MODULE,
    "apps/server/src/providers/provider-a/b.ts",
    "../../providers/provider-a/b.ts",
    "modules-do-not-know-providers",
  ],
  ["apps/server/src/graphql/a.ts", "apps/server/src/providers/b.ts", "../providers/b.ts", "imports-of-graphql"],
  [PROVIDER, "apps/server/src/providers/provider-b/b.ts", "../provider-b/b.ts", "provider-is-private"],
  [PROVIDER, "apps/server/src/modules/service.ts", "../../modules/service.ts", "imports-of-providers"],
  [PROVIDER, "apps/server/src/_generated/client.ts", "../../_generated/client.ts", "imports-of-providers"],
  ["packages/sdk/src/a.ts", "packages/domain/src/b.ts", "../../domain/src/b.ts", "imports-of-sdk"],
  ["packages/sdk/src/a.test.ts", "apps/server/src/b.ts", "../../../apps/server/src/b.ts", "imports-of-sdk-tests"],
  ["packages/testkit/src/a.ts", "apps/server/src/main.ts", "../../../apps/server/src/main.ts", "imports-of-testkit"],
])("%s must not import %s", async (from, to, specifier, rule) => {
  const problems = await problemsOfImport(from, to, `import { x } from "${specifier}";\n`);
  expect(problems).toEqual([expect.stringContaining(`${from} must not import ${to} (${rule})`)]);
});

test.each(["export { x } from", "import type { X } from", "import {\n  x,\n} from"])(
  "reads the statement %s",
  async (start) => {
    const problems = await problemsOfImport(MODULE, "apps/server/src/http/b.ts", `${start} "../../http/b.ts";\n`);
    expect(problems).toHaveLength(1);
  },
);

test("reads dynamic imports", async () => {
  const statement = 'const x = await import("../../http/b.ts");\n';
  expect(await problemsOfImport(MODULE, "apps/server/src/http/b.ts", statement)).toHaveLength(1);
});

test("resolves a package of the workspace to its source", async () => {
  await write({
    "packages/domain/package.json": '{ "exports": { ".": { "@social-connect/source": "./src/index.ts" } } }',
    "packages/domain/src/index.ts": "",
    "packages/testkit/src/a.ts": 'import "@social-connect/domain";\n',
  });
  await mkdir(join(root, "node_modules/@social-connect"), { recursive: true });
  await symlink(join(root, "packages/domain"), join(root, "node_modules/@social-connect/domain"), "dir");
  expect((await lintImports(root)).problems).toEqual([
    "packages/testkit/src/a.ts must not import packages/domain/src/index.ts (imports-of-testkit)",
  ]);
});

test("keeps packages and Node's API out of the pure packages", async () => {
  await write({
    "packages/domain/src/a.ts": 'import { readFile } from "node:fs/promises";\n',
    "packages/domain/src/a.test.ts": 'import { readFile } from "node:fs/promises";\n',
  });
  expect((await lintImports(root)).problems).toEqual([
    expect.stringMatching(/^packages\/domain\/src\/a\.ts .*pure-packages/),
  ]);
});

test("a folder without a layer is a problem", async () => {
  await write({ "apps/elsewhere/src/a.ts": 'import "./b.ts";\n', "apps/elsewhere/src/b.ts": "" });
  expect((await lintImports(root)).problems).toEqual([expect.stringContaining("(unknown-layer)")]);
});

test("files must not import each other, not even types", async () => {
  const [one, other] = ["packages/testkit/src/one.ts", "packages/testkit/src/other.ts"];
  await write({ [other]: 'import type { One } from "./one.ts";\n' });
  const problems = await problemsOfImport(one, "packages/testkit/src/third.ts", 'import "./other.ts";\n');
  expect(problems).toEqual([expect.stringContaining(`${one} must not import ${other} -> ${one} (circular)`)]);
});

test("the command fails when two folders import each other, and passes without the cycle", async () => {
  const lint = () =>
    run(execPath, ["--disable-warning=ExperimentalWarning", join(WORKSPACE, "tools/lint/lintImports.ts"), root]);
  await write({
    "packages/testkit/src/a/a.ts": 'import "../b/b.ts";\n',
    "packages/testkit/src/b/b.ts": "",
    "packages/testkit/src/b/other.ts": "",
    "packages/testkit/src/b/b.test.ts": 'import "../a/a.ts";\n',
  });
  await expect(lint()).resolves.toMatchObject({ stdout: expect.stringContaining("No problems found.") });
  await write({ "packages/testkit/src/b/other.ts": 'import type { A } from "../a/a.ts";\n' });
  await expect(lint()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("packages/testkit/src/b/other.ts -> packages/testkit/src/a/a.ts"),
  });
});

test("finds the cycle between a folder and its parent, and the shortest of several", () => {
  const imports = [
    { from: "src/a.ts", to: "src/part/b.ts" },
    { from: "src/part/c.ts", to: "src/d.ts" },
    { from: "src/part/c.ts", to: "src/other/e.ts" },
    { from: "src/other/e.ts", to: "src/d.ts" },
    { from: "src/other/e.ts", to: "src/other/f.ts" },
  ];
  expect(findFolderCycles(imports.slice(0, 2))).toEqual([imports.slice(0, 2)]);
  expect(findFolderCycles(imports.slice(1))).toEqual([]);
  expect(findFolderCycles(imports)).toContainEqual(imports.slice(0, 2));
});

test("only the listed files outside the server import or name its source, and each entry of the list is needed, has a reason and is in order", async () => {
  await write({
    "apps/server/src/a.ts": 'export * from "./b.ts"; // apps/server/src\n',
    "apps/panel/src/a.test.ts": 'import "../../server/src/a.ts";\n',
    "packages/sdk/src/a.ts": 'import "@social-connect/server";\n',
    "tools/live/start.ts": 'const program = "apps/server/src/main.ts";\n',
    "docs/page.md": "apps/server/src/main.ts\n",
    "tools/lint/serverSource.txt": "# Files\napps/panel/src/a.test.ts  a reason\ntools/live/start.ts  another\n",
  });
  await run("git", ["init", "--quiet"], { cwd: root });
  expect(lintServerSource(root)).toEqual([]);
  await write({ "tools/live/start.ts": "", "tools/memory/start.mjs": 'import("../../apps/server/src/a.ts");\n' });
  expect(lintServerSource(root)).toEqual([
    expect.stringMatching(/^tools\/memory\/start\.mjs names the source/),
    expect.stringMatching(/^tools\/live\/start\.ts no longer names/),
  ]);
  await write({
    "tools/memory/start.mjs": "",
    "tools/live/start.ts": 'const program = "apps/server/src/main.ts";\n',
    "tools/lint/serverSource.txt": "tools/live/start.ts\napps/panel/src/a.test.ts  a reason\n",
  });
  expect(lintServerSource(root)).toEqual([
    expect.stringMatching(/^tools\/live\/start\.ts has no reason/),
    expect.stringMatching(/^apps\/panel\/src\/a\.test\.ts is not in the order/),
  ]);
});

/** The places of the problems in the workspace that was written. */
async function linted(...folders: readonly string[]): Promise<string[]> {
  const { stdout } = await run(join(WORKSPACE, "node_modules/.bin/biome"), ["lint", "--reporter=github", ...folders], {
    cwd: root,
  }).catch((error: { stdout: string }) => error);
  const found = [...stdout.matchAll(/file=([^,]+),line=(\d+)/g)].map(
    ([, file = "", line]) => `${relative(root, file)}:${line}`,
  );
  return found.sort();
}

test("Biome rejects a read of the machine's clock where the clock is passed in", async () => {
  const config = JSON.parse(await readFile(join(WORKSPACE, "biome.json"), "utf8"));
  await cp(join(WORKSPACE, "tools/lint"), join(root, "tools/lint"), { recursive: true });
  const reads = "export const a = Date.now();\nexport const b = new Date();\n";
  await write({
    "biome.json": JSON.stringify({ ...config, vcs: { enabled: false } }),
    "apps/server/src/modules/a/a.ts": reads,
    "apps/server/src/modules/a/a.test.ts": reads,
    "apps/server/src/platform/time/clock.ts": reads,
    "packages/domain/src/a.ts": "export const c = new Date(5); // new Date()\n",
  });
  expect(await linted("apps", "packages")).toEqual([
    "apps/server/src/modules/a/a.ts:1",
    "apps/server/src/modules/a/a.ts:2",
  ]);
});

test("Biome rejects `instanceof` with a built-in class in published code", async () => {
  const config = JSON.parse(await readFile(join(WORKSPACE, "biome.json"), "utf8"));
  await cp(join(WORKSPACE, "tools/lint"), join(root, "tools/lint"), { recursive: true });
  const types = ["Date", "TypeError", "Promise", "globalThis.Request", "Uint8Array", "NotFoundError", "Dates"];
  const checks = types
    .map((type, at) => `export const c${at} = (value: unknown) => value instanceof ${type};\n`)
    .join("");
  await write({
    "biome.json": JSON.stringify({ ...config, vcs: { enabled: false } }),
    "packages/sdk/src/a.ts": checks,
    "packages/sdk/src/a.test.ts": checks,
    "packages/sdk/src/testing/a.ts": checks,
    "apps/server/src/a.ts": checks,
  });
  const found = await linted("apps", "packages");
  expect(found).toEqual([1, 2, 3, 4, 5].map((line) => `packages/sdk/src/a.ts:${line}`));
});

test("Biome rejects a cast that reaches a private member of a library", async () => {
  const config = JSON.parse(await readFile(join(WORKSPACE, "biome.json"), "utf8"));
  await cp(join(WORKSPACE, "tools/lint"), join(root, "tools/lint"), { recursive: true });
  const casts = [
    "export const a = (client: object) => (client as unknown as { readonly connection: string }).connection;",
    "export const b = (rows: unknown) => rows as unknown as readonly string[];",
    "",
  ].join("\n");
  await write({
    "biome.json": JSON.stringify({ ...config, vcs: { enabled: false } }),
    "apps/server/src/a.ts": casts,
    "apps/server/src/a.test.ts": casts,
  });
  expect(await linted("apps")).toEqual(["apps/server/src/a.ts:1"]);
});
