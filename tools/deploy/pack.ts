import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packPackages } from "../packages/pack.ts";
import { choosePublished, ROOT } from "../packages/publishedPackages.ts";

/** Packs the service for its images: `deploy/packages`, which the Dockerfile installs. */
export async function packForImages(): Promise<void> {
  const destination = join(ROOT, "deploy", "packages");
  const folder = await mkdtemp(join(tmpdir(), "social-connect-packages-"));
  try {
    const packages = await packPackages(choosePublished(["server", "contract"]), folder);
    await rm(destination, { recursive: true, force: true });
    await mkdir(destination, { recursive: true });
    for (const { tarball, tarballBytes } of packages) {
      await copyFile(tarball, join(destination, basename(tarball)));
      console.log(`${basename(tarball)}: ${Math.round(tarballBytes / 1_024)} KB`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
