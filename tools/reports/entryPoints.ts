import { join } from "node:path";
import { type Exported, ROOT, type WorkspacePackage } from "../packages/publishedPackages.ts";

/** An entry point of a package. */
export interface EntryPoint {
  /** The import specifier, e.g. `@social-connect/sdk`. */
  readonly specifier: string;
  /** The type declarations for an ES module. */
  readonly types: string;
}

/** The entry points of a package that export code. */
export function entryPointsOf({ name, folder, manifest }: WorkspacePackage): readonly EntryPoint[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, exported]) => {
    const types = typesOf(exported);
    if (types === null) return [];
    const path = subpath.replace(/^\.\/?/, "");
    return [
      {
        specifier: path === "" ? name : `${name}/${path}`,
        types: join(ROOT, folder, types),
      },
    ];
  });
}

function typesOf(exported: Exported): string | null {
  if (typeof exported !== "object" || exported === null) return null;
  const { types, import: forModules } = exported;
  if (typeof types === "string") return types;
  return forModules === undefined ? null : typesOf(forModules);
}
