import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { installToolchain } from "../consumers/toolchain.ts";
import { npm } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";
import { publishToLoopback } from "./publish.ts";
import { startRegistry } from "./registry.ts";
import { installRelease } from "./sbom.ts";

/**
 * A release with a registry on loopback in place of the real one: publishes every package, installs them from there into an
 * empty folder, writes their bills of materials and starts their commands. Leaves nothing behind.
 */
export async function rehearse(): Promise<void> {
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
