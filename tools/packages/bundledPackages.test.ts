import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundledFolders, writeNotices } from "./bundledPackages.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "social-connect-notices-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function install(name: string, manifest: object, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(root, "node_modules", name);
  await mkdir(folder, { recursive: true });
  const all = { ...files, "package.json": JSON.stringify({ name, version: "1.0.0", ...manifest }) };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
}

function metafileOf(...paths: readonly string[]) {
  const inputs = Object.fromEntries(paths.map((path) => [path, { bytesInOutput: 1 }]));
  return { outputs: { "dist/index.js": { inputs } } };
}

test("finds each installed package whose code is in the output, once", () => {
  const { outputs } = metafileOf(
    "src/index.ts",
    "node_modules/.pnpm/@a+b@1/node_modules/@a/b/one.js",
    "node_modules/.pnpm/@a+b@1/node_modules/@a/b/sub/two.js",
    "../../node_modules/c/index.js",
  );
  const unused = { "dist/other.js": { inputs: { "node_modules/unused/index.js": { bytesInOutput: 0 } } } };
  expect(bundledFolders({ outputs: { ...outputs, ...unused } })).toEqual([
    "node_modules/.pnpm/@a+b@1/node_modules/@a/b",
    "../../node_modules/c",
  ]);
});

test("writes the licence and the notice of each package, and a list for programs", async () => {
  await install("two", { license: "Apache-2.0" }, { LICENSE: "Apache text\n", NOTICE: "Copyright Two\n" });
  await install("one", { license: "MIT" }, { "license.md": "MIT text" });
  await writeNotices(metafileOf("node_modules/two/a.js", "node_modules/one/a.js"), { root, folder: root });
  const text = await readFile(join(root, "THIRD-PARTY-NOTICES.txt"), "utf8");
  expect(text).toMatch(
    /one 1\.0\.0 \(MIT\)\n\nMIT text\n[\s\S]+two 1\.0\.0 \(Apache-2\.0\)\n\nApache text\n\nCopyright Two/,
  );
  expect(JSON.parse(await readFile(join(root, "bundled-packages.json"), "utf8"))).toEqual([
    { name: "one", version: "1.0.0", license: "MIT" },
    { name: "two", version: "1.0.0", license: "Apache-2.0" },
  ]);
});

test("adds the packages of a licence file, and requires their licences too", async () => {
  await install("one", { license: "MIT" }, { LICENSE: "MIT text" });
  const file = join(root, "licenses.json");
  const write = (text: string) =>
    writeFile(file, JSON.stringify([{ name: "view", version: "2.0.0", identifier: "BSD-3-Clause", text }]));
  const notices = () => writeNotices(metafileOf("node_modules/one/a.js"), { root, folder: root, licenseFiles: [file] });
  await write("BSD text");
  await notices();
  expect(await readFile(join(root, "THIRD-PARTY-NOTICES.txt"), "utf8")).toContain(
    "view 2.0.0 (BSD-3-Clause)\n\nBSD text",
  );
  expect(JSON.parse(await readFile(join(root, "bundled-packages.json"), "utf8"))).toHaveLength(2);
  await write("");
  await expect(notices()).rejects.toThrow("no licence of view@2.0.0");
});

test("a package without a licence text fails the build", async () => {
  await install("bare", { license: "MIT" }, {});
  await expect(writeNotices(metafileOf("node_modules/bare/a.js"), { root, folder: root })).rejects.toThrow(
    "no licence of bare@1.0.0",
  );
});
