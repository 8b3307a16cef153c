/** A software bill of materials for each published package, in CycloneDX: what npm installs for it and what its build contains. */

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as CDX from "@cyclonedx/cyclonedx-library";
import { BUNDLED_LIST, type BundledPackage } from "../packages/bundledPackages.ts";

/** As npm keeps it in `node_modules/.package-lock.json`. */
export interface InstalledPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
export type Installed = Readonly<Record<string, InstalledPackage>>;

const MODULES = "node_modules/";
const SPEC = CDX.Spec.Spec1dot6;

/**
 * The bill of materials of one package as JSON, validated against the schema of CycloneDX 1.6. Throws if it is invalid.
 */
export async function sbomOf(
  name: string,
  installed: Installed,
  bundled: readonly BundledPackage[] = [],
): Promise<string> {
  const root = MODULES + name;
  const bom = new CDX.Models.Bom();
  const components = new Map<string, CDX.Models.Component>();
  const visit = (path: string): CDX.Models.Component => {
    const known = components.get(path);
    if (known !== undefined) return known;
    const component = componentOf(path, installed[path] ?? {}, path === root);
    components.set(path, component);
    for (const wanted of namesWanted(installed[path] ?? {})) {
      const found = resolve(path, wanted, installed);
      if (found !== null) component.dependencies.add(visit(found).bomRef);
    }
    return component;
  };
  if (installed[root] === undefined) throw new Error(`${name} is not installed`);
  const subject = visit(root);
  bom.metadata.component = subject;
  for (const one of bundled) {
    const component = componentOf(`${root}/${MODULES}${one.name}`, one, false);
    subject.dependencies.add(component.bomRef);
    bom.components.add(component);
  }
  for (const [path, component] of components) if (path !== root) bom.components.add(component);
  const serializer = new CDX.Serialize.JsonSerializer(new CDX.Serialize.JSON.Normalize.Factory(SPEC));
  const json = serializer.serialize(bom, { sortLists: true, space: 2 });
  const problem = await schemaProblem(json);
  if (problem !== null) throw new Error(`the bill of ${name} is not valid: ${problem}`);
  return `${json}\n`;
}

/** What the schema of CycloneDX 1.6 refuses in a bill; null when nothing. */
export async function schemaProblem(json: string): Promise<string | null> {
  const problem = await new CDX.Validation.JsonStrictValidator(SPEC.version).validate(json);
  return problem === null ? null : JSON.stringify(problem).slice(0, 500);
}

/** Writes the bills of packages that are installed in `place`, and gives their paths. */
export async function writeSboms(place: string, names: readonly string[], folder: string): Promise<string[]> {
  const lock = await readFile(join(place, MODULES, ".package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { readonly packages: Installed };
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const name of names) {
    const file = `${name.replace(/^@/, "").replace("/", "-")}-${packages[MODULES + name]?.version}.cdx.json`;
    await writeFile(join(folder, file), await sbomOf(name, packages, await bundledIn(join(place, MODULES, name))));
    paths.push(join(folder, file));
  }
  return paths;
}

/** The packages whose code is part of an installed package. */
async function bundledIn(folder: string): Promise<readonly BundledPackage[]> {
  const list = join(folder, "dist", BUNDLED_LIST);
  return existsSync(list) ? JSON.parse(await readFile(list, "utf8")) : [];
}

function componentOf(path: string, one: InstalledPackage, isRoot: boolean): CDX.Models.Component {
  const fullName = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
  const [group, name] = fullName.startsWith("@") ? (fullName.split("/") as [string, string]) : [undefined, fullName];
  const component = new CDX.Models.Component(CDX.Enums.ComponentType.Library, name, {
    bomRef: `${fullName}@${one.version}${path.split(MODULES).length > 2 ? `|${path}` : ""}`,
    ...(group === undefined ? {} : { group }),
    ...(one.version === undefined ? {} : { version: one.version }),
    // The purl names the package and its version; hashes say which file.
    purl: `pkg:npm/${fullName.replace("@", "%40")}@${one.version}` as never,
  });
  if (one.license !== undefined) component.licenses.add(new CDX.Models.NamedLicense(one.license));
  const [algorithm, digest] = (one.integrity ?? "").split("-", 2);
  if (!isRoot && algorithm === "sha512" && digest !== undefined) {
    component.hashes.set(CDX.Enums.HashAlgorithm["SHA-512"], Buffer.from(digest, "base64").toString("hex"));
  }
  return component;
}

function namesWanted({ dependencies, optionalDependencies, peerDependencies }: InstalledPackage): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort();
}

/** Where a package finds another: in its own folder, or in a parent folder. */
function resolve(from: string, name: string, installed: Installed): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${MODULES}`)))) {
    const path = folder === "" ? MODULES + name : `${folder}/${MODULES}${name}`;
    if (installed[path] !== undefined) return path;
    if (folder === "") return null;
  }
}
