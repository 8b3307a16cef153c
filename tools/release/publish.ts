import { join } from "node:path";
import { pnpm } from "../packages/commands.ts";
import { ROOT, type WorkspacePackage } from "../packages/publishedPackages.ts";
import type { Registry } from "./registry.ts";

/** Publishes a built package to a registry on loopback. */
export async function publish({ name, folder, manifest }: WorkspacePackage, registry: Registry): Promise<void> {
  await pnpm(["publish", "--no-git-checks", "--registry", registry.url], {
    folder: join(ROOT, folder),
    environment: {
      NPM_CONFIG_USERCONFIG: registry.publisherSettings,
      npm_config_userconfig: registry.publisherSettings,
    },
  });
  const response = await fetch(new URL(name.replace("/", "%2f"), registry.url));
  const { versions = {} } = (await response.json()) as { readonly versions?: Readonly<Record<string, unknown>> };
  if (!(manifest.version in versions))
    throw new Error(`${name} ${manifest.version} is not there after its publication`);
  console.log(`  published ${name} ${manifest.version}`);
}
