import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The public address of the repository, which the packages and their READMEs name. */
export function repositoryOf(root: string): string {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly repository: string;
  };
  return repository;
}

/** Folders of the workspace that can hold a published package; examples and benchmarks never are one. */
const SHELVES = ["packages", "apps"];

type Conditions = { readonly [condition: string]: Exported };
export type Exported = string | null | Conditions;

type Texts = "description" | "license" | "type" | "main" | "types" | "homepage";
type Maps = "engines" | "bin" | "scripts" | "dependencies" | `${"dev" | "optional" | "peer"}Dependencies`;
export interface Manifest
  extends Readonly<Partial<Record<Texts, string> & Record<Maps, Readonly<Record<string, string>>>>> {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly sideEffects?: boolean | readonly string[];
  readonly exports?: Readonly<Record<string, Exported>>;
  readonly keywords?: readonly string[];
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly bugs?: { readonly url?: string };
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

export interface WorkspacePackage {
  readonly name: string;
  /** From the root of the workspace, with forward slashes. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package that goes to a registry: the list is the manifests' own, so a new package needs no line here. */
export function listPublished(): readonly WorkspacePackage[] {
  return listPackages().filter(({ manifest }) => manifest.private !== true);
}

/** The published packages with the given names, with or without the scope; all of them by default. */
export function choosePublished(names: readonly string[]): readonly WorkspacePackage[] {
  const published = listPublished();
  if (names.length === 0) return published;
  return names.map((wanted) => {
    const found = published.find(({ name }) => name === wanted || name.split("/")[1] === wanted);
    if (found !== undefined) return found;
    throw new Error(`${wanted} is not one of ${published.map(({ name }) => name).join(", ")}`);
  });
}

/** Names of the packages of this workspace that no registry has. */
export function listPrivateNames(): readonly string[] {
  return listPackages()
    .filter(({ manifest }) => manifest.private === true)
    .map(({ name }) => name);
}

function listPackages(): readonly WorkspacePackage[] {
  return SHELVES.flatMap((shelf) => readdirSync(join(ROOT, shelf)).map((name) => `${shelf}/${name}`))
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
      return { name: manifest.name, folder, manifest };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
