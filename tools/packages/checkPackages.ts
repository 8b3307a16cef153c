/**
 * Builds and packs every published package and checks the tarballs: contents, manifests, and whether each kind of
 * consumer finds code and types.
 *
 *     pnpm consumers packages [name …]
 */
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { findProblems } from "./manifestRules.ts";
import { type PackedPackage, packPackages } from "./pack.ts";
import { choosePublished, listPrivateNames, ROOT, repositoryOf } from "./publishedPackages.ts";
import { scratchFolder } from "./scratchFolder.ts";

/** Tarballs that must stay small, because they are installed where a package is fetched for a single run. */
const MOST_TARBALL_BYTES: Readonly<Record<string, number>> = {
  "@social-connect/sdk": 200_000,
  "@social-connect/admin-sdk": 400_000,
};

/** Programs and their functions are for Node 22.15 and newer, where CommonJS can require an ES module. */
const PROGRAMS = ["@social-connect/create", "@social-connect/server"];

export async function checkPackages(names: readonly string[]): Promise<void> {
  await using folder = await scratchFolder("packages");
  for (const packed of await packPackages(choosePublished(names), folder.path)) {
    const problems = await check(packed);
    console.log(`  ${packed.name}: ${packed.tarballBytes} bytes in ${packed.files.length} files`);
    for (const problem of problems) console.error(`  ${packed.name}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

async function check(packed: PackedPackage): Promise<readonly string[]> {
  const { manifest, files } = packed;
  const read = (path: string) => readFileSync(join(packed.folder, path), "utf8");
  const candidate = { manifest, paths: files, read, imported: await findImports(packed) };
  // With the separator, because the home folder `/root` is the start of other names too.
  const placesOfBuild = [ROOT.replace(/\/$/, ""), homedir() + sep];
  const surroundings = {
    privateNames: listPrivateNames(),
    placesOfBuild,
    repository: repositoryOf(ROOT),
    isInRepository: (path: string) => existsSync(join(ROOT, path)),
  };
  const most = MOST_TARBALL_BYTES[packed.name] ?? Number.POSITIVE_INFINITY;
  const size = `the tarball has ${packed.tarballBytes} bytes, and may have ${most}`;
  return [
    ...findProblems(candidate, surroundings),
    ...(packed.tarballBytes > most ? [size] : []),
    ...(await lint(packed)),
    ...(await findTypeProblems(packed)),
  ];
}

/** publint over the tarball, strictly: a warning fails as an error does. */
async function lint({ tarball, manifest }: PackedPackage): Promise<readonly string[]> {
  const data = await readFile(tarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true });
  return messages
    .filter(({ type }) => type !== "suggestion")
    .map((message) => `publint: ${formatMessage(message, { ...manifest }, { color: false })}`);
}

/** Whether every kind of consumer gets the right types; returns the findings of "Are The Types Wrong". */
async function findTypeProblems({ name, tarball }: PackedPackage): Promise<readonly string[]> {
  const data = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
  // Entry points that contain data and no code have no types.
  const result = await checkPackage(data, { excludeEntrypoints: [/\.(?:json|graphql|css)$/] });
  if (!result.types) return ["it has no types"];
  return result.problems
    .filter(({ kind }) => !(kind === "CJSResolvesToESM" && PROGRAMS.includes(name)))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}

/** Names of the packages that the code of a packed package imports, in any of its files and in either module format. */
async function findImports({ folder, files }: PackedPackage): Promise<readonly string[]> {
  // Browser files target another runtime: the panel bundles all its dependencies. Templates are files of applications.
  const isOwn = (path: string) => !path.includes("/panel/") && !path.startsWith("templates/");
  const scripts = files.filter((path) => /\.[cm]?js$/.test(path) && isOwn(path));
  const { metafile } = await build({
    entryPoints: scripts.map((path, index) => ({ in: join(folder, path), out: String(index) })),
    bundle: true,
    write: false,
    metafile: true,
    outdir: join(folder, "nowhere"),
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
    // Read as asset only: which files there are is checked elsewhere.
    loader: { ".css": "empty", ".wasm": "empty" },
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const names = imports.filter(({ external, path }) => external === true && !isBuiltin(path)).map(({ path }) => path);
  return [...new Set(names.map(packageOf))].toSorted();
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
