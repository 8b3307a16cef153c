import { join } from "node:path";
import type { Exported, WorkspacePackage } from "../packages/publishedPackages.ts";
import { ROOT } from "../packages/publishedPackages.ts";

/** One way into a package: what a consumer imports, and the files that build it. */
export interface Door {
  /** As it is imported, e.g. `@social-connect/sdk`. */
  readonly specifier: string;
  /** The part behind the package's name, or null for the package itself. */
  readonly name: string | null;
  /** The declarations an ES module is given. */
  readonly types: string;
}

/** The doors of a package that lead to code. */
export function doorsOf({ name, folder, manifest }: WorkspacePackage): readonly Door[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([door, exported]) => {
    const types = typesOf(exported);
    if (types === null) return [];
    const path = door.replace(/^\.\/?/, "");
    return [
      {
        specifier: path === "" ? name : `${name}/${path}`,
        name: path === "" ? null : path,
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
