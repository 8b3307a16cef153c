/** The packages whose code a build contains, for licence notices and the bill of materials. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface LicensedPackage extends BundledPackage {
  readonly text: string;
}

export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** Beside the code: the list for programs, and the licences for people. */
export const BUNDLED_LIST = "bundled-packages.json";
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

const MODULES = "node_modules/";
const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i;

/**
 * Writes both files into the folder of the build. Throws if a package has no licence text. `root`: the folder that the metafile's paths
 * start from. `licenseFiles`: what Vite writes with `build.license`, packages in other parts of the build.
 */
export async function writeNotices(
  metafile: Metafile,
  {
    root,
    folder,
    licenseFiles = [],
  }: Record<"root" | "folder", string> & { readonly licenseFiles?: readonly string[] },
): Promise<void> {
  const packages = await Promise.all([
    ...bundledFolders(metafile).map(async (path) => [await readPackage(resolve(root, path))]),
    ...licenseFiles.map(readLicenseFile),
  ]);
  // Two folders can hold the same version, installed for different peers.
  const unique = new Map(packages.flat().map((one) => [keyOf(one), one]));
  const sorted = [...unique.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const bare = sorted.filter(({ license, text }) => !license || !text);
  if (bare.length > 0) {
    throw new Error(`no licence of ${bare.map(keyOf).join(", ")}: keep it a dependency, or add its licence`);
  }
  const list = sorted.map(({ name, version, license }): BundledPackage => ({ name, version, license }));
  await writeFile(join(folder, BUNDLED_LIST), `${JSON.stringify(list, null, 2)}\n`);
  await writeFile(join(folder, NOTICES), noticesText(sorted));
}

/** The folders of installed packages that contributed code to an output. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = inputs.flatMap((path) => {
    const start = path.lastIndexOf(MODULES);
    if (start < 0) return [];
    const [scope = "", name = ""] = path.slice(start + MODULES.length).split("/");
    return [path.slice(0, start + MODULES.length) + (scope.startsWith("@") ? `${scope}/${name}` : scope)];
  });
  return [...new Set(folders)];
}

async function readPackage(folder: string): Promise<LicensedPackage> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as BundledPackage;
  const file = (await readdir(folder)).find((entry) => LICENSE_FILE.test(entry));
  const notice = join(folder, "NOTICE");
  const texts = file === undefined ? [] : [await readFile(join(folder, file), "utf8")];
  // The Apache licence asks to keep this file where there is one.
  if (existsSync(notice)) texts.push(await readFile(notice, "utf8"));
  return { name, version, license, text: texts.map((text) => text.trim()).join("\n\n") };
}

async function readLicenseFile(path: string): Promise<readonly LicensedPackage[]> {
  type Entry = Omit<BundledPackage, "license"> & { readonly identifier: string; readonly text?: string };
  const entries = JSON.parse(await readFile(path, "utf8")) as readonly Entry[];
  return entries.map(({ identifier: license, text = "", ...one }) => ({ ...one, license, text: text.trim() }));
}

function keyOf({ name, version }: BundledPackage): string {
  return `${name}@${version}`;
}

/** Packages with the same text share it. */
function noticesText(packages: readonly LicensedPackage[]): string {
  const texts = [...new Set(packages.map(({ text }) => text))];
  const parts = texts.map((text) => {
    const owners = packages.filter((one) => one.text === text);
    const names = owners.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${names.join("\n")}\n\n${text}\n`;
  });
  const head = "This package contains code of the following packages, under their licences.\n";
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}
