/**
 * Prepares and publishes a release, or shows that it would work.
 *
 *     pnpm release --prepare     version numbers, change logs and the schemas of the release, which are one commit
 *     pnpm release --rehearse    all of it against a registry on loopback
 *     pnpm release --publish     the real one, which release.yml runs
 *     pnpm release --pack        the packages of the service's images
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installToolchain } from "../consumers/toolchain.ts";
import { packForImages } from "../deploy/pack.ts";
import { CommandError, npm, pnpm, workspaceProgram } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { publishPackages, publishToLoopback, startRegistry } from "./registry.ts";
import { installRelease } from "./sbom.ts";
import { keepReleasedSchemas } from "./schemaChange.ts";

/**
 * Takes the pending changesets together: version numbers (also those in the SDKs' code), change logs, and the schemas that count as
 * released from now on. What it writes is one commit, which a release is then made of.
 */
async function prepare(): Promise<void> {
  console.log((await workspaceProgram("changeset", ["version"])).trim());
  keepReleasedSchemas();
  await pnpm(["install", "--lockfile-only"], { folder: ROOT });
  await pnpm(["generate"], { folder: ROOT });
  console.log("Check the change logs, commit them, then follow docs/contributing/releases.md.");
}

async function publish(): Promise<void> {
  await buildPackages(listPublished());
  console.log(await publishPackages());
  await using place = await scratchFolder("sbom");
  const bills = await installRelease(place.path, join(ROOT, "sbom"));
  console.log(`Attach these software bills of materials to the release:\n${bills.join("\n")}`);
  console.log("Push the release tags: `git push --follow-tags`.");
}

/**
 * A release with a registry on loopback in place of the real one: publishes every package, installs them from there into an
 * empty folder, writes their bills of materials and starts their commands. Leaves nothing behind.
 */
async function rehearse(): Promise<void> {
  await using folder = await scratchFolder("rehearsal");
  await installToolchain();
  await buildPackages(listPublished());
  await using registry = await startRegistry(join(folder.path, "registry"));
  await publishToLoopback(registry);
  const place = join(folder.path, "consumer");
  await mkdir(place);
  // Only our scope comes from the rehearsal's registry; everything else from where this machine has it from.
  const npmrc = `@social-connect:registry=${registry.url}\nprefer-offline=true\n`;
  const bills = await installRelease(place, join(folder.path, "sbom"), npmrc);
  console.log(`  installed from there into an empty folder, with ${bills.length} software bills of materials`);
  for (const command of listPublished().flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
    await npm(["exec", "--offline", "--", command, "--help"], { folder: place });
    console.log(`  ran ${command} --help`);
  }
  console.log("the rehearsal succeeded; nothing was published to another registry");
}

const WORK = { "--prepare": prepare, "--rehearse": rehearse, "--publish": publish, "--pack": packForImages };
const work = WORK[process.argv[2] as keyof typeof WORK];
if (work === undefined) {
  console.error(`Pass one of: ${Object.keys(WORK).join(", ")}. Only the workflow of releases passes --publish.`);
  process.exitCode = 2;
} else {
  await work().catch((error: Error) => {
    console.error(error instanceof CommandError ? error.message : error);
    process.exitCode = 1;
  });
}
