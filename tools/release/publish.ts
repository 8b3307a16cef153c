import type { Environment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { workspaceProgram } from "../packages/commands.ts";
import type { Registry } from "./registry.ts";

/** Publishes the built packages whose version the registry does not have; a release and its rehearsal both call this. */
export function publishPackages(parameters: readonly string[] = [], environment: Environment = {}): Promise<string> {
  // The server's `prepare` would generate files again that other programs are reading.
  const withoutScripts = { pnpm_config_ignore_scripts: "true", ...environment };
  return workspaceProgram("changeset", ["publish", ...parameters], { environment: withoutScripts });
}

/** Publishes to a registry on loopback. Who installs from there shows that it has each package. */
export function publishToLoopback({ publisherSettings }: Registry): Promise<string> {
  const settings = { NPM_CONFIG_USERCONFIG: publisherSettings, npm_config_userconfig: publisherSettings };
  return publishPackages(["--no-git-tag"], settings);
}
