/**
 * The differences between a package in this workspace and its published form. `pnpm pack` and `pnpm publish` call this,
 * so package.json states each fact once; `pnpm consumers packages` verifies the result.
 */

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
/** The condition by which packages of this workspace read each other's TypeScript; a tarball has no TypeScript. */
const SOURCE_CONDITION = "@social-connect/source";

function withoutSource(exported) {
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) return exported;
  const kept = Object.entries(exported).filter(([condition]) => condition !== SOURCE_CONDITION);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutSource(value)]));
}

/** What a consumer gets that only has these conditions; conditions that no consumer has come out as undefined. */
function targetOf(exported, conditions) {
  if (typeof exported !== "object" || exported === null) return exported ?? undefined;
  for (const [condition, next] of Object.entries(exported)) {
    const target = condition === "default" || conditions.includes(condition) ? targetOf(next, conditions) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

/**
 * For compilers that do not read `exports`: TypeScript with `moduleResolution: node10`, the default of CommonJS projects
 * up to TypeScript 5. Their types are those of `require`.
 */
function fieldsForNode10(exports) {
  const typesOf = (exported) => {
    const path = targetOf(exported, ["types", "node", "require"]);
    return /\.d\.[cm]?ts$/.test(path ?? "") ? path : undefined;
  };
  const subpaths = Object.entries(exports).flatMap(([name, exported]) => {
    const types = name === "." ? undefined : typesOf(exported);
    return types === undefined ? [] : [[name.replace("./", ""), [types]]];
  });
  return {
    main: targetOf(exports["."], ["node", "require"]),
    types: typesOf(exports["."]),
    ...(subpaths.length > 0 ? { typesVersions: { "*": Object.fromEntries(subpaths) } } : {}),
  };
}

/** The one place that names the repository; `pnpm release` refuses to publish from another. */
const { repository: REPOSITORY } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

export const hooks = {
  beforePacking(manifest, folder) {
    // These are for the workspace only; the first would also name packages that are published nowhere.
    delete manifest.devDependencies;
    delete manifest.scripts;
    if (manifest.exports) {
      manifest.exports = withoutSource(manifest.exports);
      Object.assign(manifest, fieldsForNode10(manifest.exports));
    }
    const directory = relative(ROOT, folder).replaceAll("\\", "/");
    manifest.repository = { type: "git", url: `git+${REPOSITORY}.git`, directory };
    manifest.homepage = `${REPOSITORY}/tree/main/${directory}#readme`;
    manifest.bugs = { url: `${REPOSITORY}/issues` };
    return manifest;
  },
};
