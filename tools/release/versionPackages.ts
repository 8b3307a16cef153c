import { pnpm, workspaceProgram } from "../packages/commands.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { keepReleasedSchemas } from "./releasedSchemas.ts";

/**
 * Takes the pending changesets together: version numbers (also those in the SDKs' code), change logs, and the schemas that count as
 * released from now on. What it writes is one commit, which a release is then made of.
 */
export async function versionPackages(): Promise<void> {
  console.log((await workspaceProgram("changeset", ["version"])).trim());
  keepReleasedSchemas();
  await pnpm(["install", "--lockfile-only"], { folder: ROOT });
  await pnpm(["generate"], { folder: ROOT });
  console.log("Check the change logs, commit them, then follow docs/contributing/releases.md.");
}
