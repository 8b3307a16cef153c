/**
 * The differences between a package in this workspace and its published form. `pnpm pack` and `pnpm publish` call this,
 * so package.json states each fact once; `pnpm packages:check` verifies the result.
 */

import { relative } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
/** The condition by which packages of this workspace read each other's TypeScript; a tarball has no TypeScript. */
const SOURCE_CONDITION = "@social-connect/source";

function withoutSource(exported) {
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) return exported;
  const kept = Object.entries(exported).filter(([condition]) => condition !== SOURCE_CONDITION);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutSource(value)]));
}

export const hooks = {
  beforePacking(manifest, folder) {
    // Of use in the workspace only; the first would also name packages that are published nowhere.
    delete manifest.devDependencies;
    delete manifest.scripts;
    if (manifest.exports) manifest.exports = withoutSource(manifest.exports);
    // The workspace installs its own Node; users of the package need a version that its dependencies support.
    const { engines, ...publishConfig } = manifest.publishConfig ?? {};
    if (engines) manifest.engines = engines;
    manifest.publishConfig = publishConfig;
    // A release says where it was built from; the manifests name no place that need not be there.
    const url = env.SOCIAL_CONNECT_REPOSITORY;
    if (url) manifest.repository = { type: "git", url, directory: relative(ROOT, folder).replaceAll("\\", "/") };
    return manifest;
  },
};
