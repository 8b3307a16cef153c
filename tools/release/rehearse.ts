import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KINDS, optionsOf } from "../consumers/kinds.ts";
import { linkAccount } from "../consumers/linkAccount.ts";
import { startMockService } from "../consumers/mockService.ts";
import { startDevWithNpx } from "../consumers/packedServer.ts";
import { compilers, installToolchain, nodeRuntimes } from "../consumers/toolchain.ts";
import { listUses, writeConsumer } from "../consumers/workspace.ts";
import { npm, run } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, type WorkspacePackage } from "../packages/publishedPackages.ts";
import { publishToLoopback } from "./publish.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { writeSboms } from "./sbom.ts";

/**
 * A release from the first step to a consumer that runs, with a registry on loopback in place of the real one: publishes
 * every package, installs them from there into an empty folder, compiles and runs a consumer. Leaves nothing behind.
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
    console.log(`  wrote ${bills.length} software bills of materials, valid against CycloneDX 1.6`);
    await runConsumer(place, packages);
    await runCommands(place, packages);
    await runFirstPath(join(folder, "first"), registry);
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
  await writeFile(join(place, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const wanted = packages.map(({ name, manifest }) => `${name}@${manifest.version}`);
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  const others = ["@types/node@20", ...peers.map(([name, range]) => `${name}@${range}`)];
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...wanted, ...others], { folder: place });
  const lock = JSON.parse(await readFile(join(place, "node_modules", ".package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  for (const { name, manifest } of packages) {
    const installed = lock.packages[`node_modules/${name}`]?.version;
    if (installed !== manifest.version) throw new Error(`${name} ${installed} was installed, not ${manifest.version}`);
  }
  console.log("  installed them from there into an empty folder");
}

async function runConsumer(place: string, packages: readonly WorkspacePackage[]): Promise<void> {
  const uses = listUses(packages).map(({ use }) => use);
  const [kind, compiler] = [KINDS.find(({ type, isBundled }) => type === "module" && !isBundled), compilers().at(-1)];
  if (kind === undefined || compiler === undefined) throw new Error("there is no kind of consumer to rehearse with");
  const compilerOptions = { ...optionsOf(kind, compiler.version), outDir: "out" };
  await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  const service = await startMockService();
  try {
    await writeConsumer(place, uses, service);
    await run(process.execPath, [compiler.program, "-p", "."], { folder: place });
    await run(process.execPath, [join("out", "main.js"), service.url], { folder: place });
  } finally {
    await service.close();
  }
  console.log(`  compiled and ran a consumer of ${uses.join(", ")}`);
}

/** Every command of a package must start. */
async function runCommands(place: string, packages: readonly WorkspacePackage[]): Promise<void> {
  for (const command of packages.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))) {
    await npm(["exec", "--offline", "--", command, "--help"], { folder: place });
    console.log(`  ran ${command} --help`);
  }
}

/** The first command of the README, from the registry: in an empty folder, until an account is linked. */
async function runFirstPath(place: string, registry: Registry): Promise<void> {
  const newest = nodeRuntimes().at(-1);
  if (newest === undefined) throw new Error("there is no Node to run the service with");
  await mkdir(place, { recursive: true });
  const { dev, stop } = await startDevWithNpx(place, newest.program, ["--yes", "@social-connect/server"], {
    "npm_config_@social-connect:registry": registry.url,
  });
  try {
    await linkAccount(dev);
  } finally {
    await stop();
  }
  console.log("  ran `npx @social-connect/server dev` in an empty folder and linked an account");
}
