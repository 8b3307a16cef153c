import { copyFile, mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { packPackages } from "../packages/pack.ts";
import { choosePublished, ROOT } from "../packages/publishedPackages.ts";
import { scratchFolder } from "../packages/scratchFolder.ts";

/** Packs the service for its images: `deploy/packages`, which the Dockerfile installs. */
export async function packForImages(): Promise<void> {
  const destination = join(ROOT, "deploy", "packages");
  await using folder = await scratchFolder("packages");
  const packages = await packPackages(choosePublished(["server", "contract"]), folder.path);
  await rm(destination, { recursive: true, force: true });
  await mkdir(destination, { recursive: true });
  for (const { tarball, tarballBytes } of packages) {
    await copyFile(tarball, join(destination, basename(tarball)));
    console.log(`${basename(tarball)}: ${Math.round(tarballBytes / 1_024)} KB`);
  }
}
