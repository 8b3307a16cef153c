/**
 * Prepares and publishes a release, or shows that it would work.
 *
 *     pnpm release --prepare     version numbers, change logs and the schemas of the release, which are one commit
 *     pnpm release --rehearse    all of it against a registry on loopback
 *     pnpm release --publish     the real one, which release.yml runs
 *     pnpm release --pack        the packages of the service's images
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packForImages } from "../deploy/pack.ts";
import { CommandError, npm } from "../packages/commands.ts";
import { buildPackages } from "../packages/pack.ts";
import { listPublished, ROOT } from "../packages/publishedPackages.ts";
import { publishPackages } from "./publish.ts";
import { rehearse } from "./rehearse.ts";
import { writeSboms } from "./sbom.ts";
import { versionPackages } from "./versionPackages.ts";

async function publish(): Promise<void> {
  await buildPackages(listPublished());
  console.log(await publishPackages());
  const bills = await sbomsOfRelease();
  console.log(`Attach these software bills of materials to the release:\n${bills.join("\n")}`);
  console.log("Push the release tags: `git push --follow-tags`.");
}

/** From what npm installs of the release that was just published. */
async function sbomsOfRelease(): Promise<string[]> {
  const place = await mkdtemp(join(tmpdir(), "social-connect-sbom-"));
  try {
    const packages = listPublished();
    await writeFile(join(place, "package.json"), JSON.stringify({ name: "sbom", version: "0.0.0", private: true }));
    const wanted = packages.map(({ name, manifest }) => `${name}@${manifest.version}`);
    await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted], { folder: place });
    const names = packages.map(({ name }) => name);
    return await writeSboms(place, names, join(ROOT, "sbom"));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const WORK = { "--prepare": versionPackages, "--rehearse": rehearse, "--publish": publish, "--pack": packForImages };
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
