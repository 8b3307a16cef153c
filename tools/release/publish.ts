import type { Environment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { workspaceProgram } from "../packages/commands.ts";
import { listPublished } from "../packages/publishedPackages.ts";
import type { Registry } from "./registry.ts";

/** Publishes the built packages whose version the registry does not have; a release and its rehearsal both call this. */
export function publishPackages(parameters: readonly string[] = [], environment: Environment = {}): Promise<string> {
  // The server's `prepare` would generate files again that other programs are reading.
  const withoutScripts = { pnpm_config_ignore_scripts: "true", ...environment };
  return workspaceProgram("changeset", ["publish", ...parameters], { environment: withoutScripts });
}

/** Publishes to a registry on loopback and verifies that it has each package. */
export async function publishToLoopback({ url, publisherSettings }: Registry): Promise<void> {
  await publishPackages(["--no-git-tag"], {
    NPM_CONFIG_USERCONFIG: publisherSettings,
    npm_config_userconfig: publisherSettings,
  });
  for (const { name, manifest } of listPublished()) {
    const response = await fetch(new URL(name.replace("/", "%2f"), url));
    const { versions = {} } = (await response.json()) as { readonly versions?: Readonly<Record<string, unknown>> };
    if (!(manifest.version in versions)) throw new Error(`${name} ${manifest.version} was not published`);
    console.log(`  published ${name} ${manifest.version}`);
  }
}
