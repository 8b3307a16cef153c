import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import type { PackedPackage } from "./pack.ts";

/** Names of the packages that the code of a packed package imports, in any of its files and in either module format. */
export async function findImports({ folder, files }: PackedPackage): Promise<readonly string[]> {
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
