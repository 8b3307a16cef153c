import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolchain } from "../consumers/toolchain.ts";
import { npm } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, type WorkspacePackage } from "../packages/publishedPackages.ts";
import { publishToLoopback } from "./publish.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { writeSboms } from "./sbom.ts";

/**
 * A release with a registry on loopback in place of the real one: publishes every package, installs them from there into an
 * empty folder, writes their bills of materials and starts their commands. Leaves nothing behind.
 */
export async function rehearse(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "social-connect-rehearsal-")));
  await installToolchain();
  const packages = listPublished();
  await buildPackages(packages);
  const registry = await startRegistry(join(folder, "registry"));
  try {
    console.log(`registry on loopback: ${registry.url}`);
    await publishToLoopback(registry);
    const place = join(folder, "consumer");
    await installFrom(registry, place, packages);
    const names = packages.map(({ name }) => name);
    const bills = await writeSboms(place, names, join(folder, "sbom"));
    console.log(`  wrote ${bills.length} software bills of materials`);
    await runCommands(place, packages);
  } finally {
    registry.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log("the rehearsal succeeded; nothing was published to another registry");
}

/** Only our scope comes from the rehearsal's registry; everything else from where this machine has it from. */
async function installFrom(registry: Registry, place: string, packages: readonly WorkspacePackage[]): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, ".npmrc"), `@social-connect:registry=${registry.url}\n`);
  await writeFile(join(place, "package.json"), JSON.stringify({ name: "consumer", version: "0.0.0", private: true }));
  const wanted = packages.map(({ name, manifest }) => `${name}@${manifest.version}`);
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  const others = peers.map(([name, range]) => `${name}@${range}`);
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...wanted, ...others], { folder: place });
  console.log("  installed them from there into an empty folder");
}

/** Every command of a package must start. */
async function runCommands(place: string, packages: readonly WorkspacePackage[]): Promise<void> {
  for (const command of packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
    await npm(["exec", "--offline", "--", command, "--help"], { folder: place });
    console.log(`  ran ${command} --help`);
  }
}
