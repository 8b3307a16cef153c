import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { env } from "node:process";
import { npm, pnpm, run, workspaceProgram } from "./commands.ts";
import { type Manifest, ROOT, type WorkspacePackage } from "./publishedPackages.ts";

/** A package as a registry would get it. */
export type PackedPackage = Awaited<ReturnType<typeof packOne>>;

/** The types of the oldest Node that the packages promise to run under. */
export const CONSUMER_TYPES = ["@types/node@20"];

const BUILD_TIMEOUT_MS = 20 * 60_000;

/**
 * Builds packages with their dependencies. `PACKAGES_ARE_BUILT` says that the caller has built them, because even a build from the
 * cache writes files that another check may be reading.
 */
export async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  if (env["PACKAGES_ARE_BUILT"] === "true") return;
  const filters = packages.map(({ name }) => `--filter=${name}`);
  await workspaceProgram("turbo", ["run", "build", "--output-logs=errors-only", ...filters], {
    environment: { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    timeoutMs: BUILD_TIMEOUT_MS,
  });
}

/** Builds packages, packs them into a folder, and unpacks the tarballs next to it for inspection. */
export async function packPackages(
  packages: readonly WorkspacePackage[],
  destination: string,
): Promise<PackedPackage[]> {
  await buildPackages(packages);
  await mkdir(destination, { recursive: true });
  return Promise.all(packages.map((source) => packOne(source, destination)));
}

async function packOne(source: WorkspacePackage, destination: string) {
  const label = source.name.replace("@", "").replace("/", "-");
  const tarball = join(destination, `${label}.tgz`);
  // The server's `prepare` would generate files again that other programs are reading.
  await pnpm(["pack", "--ignore-scripts", "--out", tarball], { folder: join(ROOT, source.folder) });
  const content = join(destination, label);
  await mkdir(content, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", content], { folder: destination });
  const folder = join(content, "package");
  return {
    name: source.name,
    source,
    tarball,
    tarballBytes: (await stat(tarball)).size,
    /** The folder with the tarball's content. */
    folder,
    files: await listFiles(folder),
    manifest: JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest,
  };
}

/** A folder outside the workspace in which npm installs the tarballs. `others`: more packages, or options of npm. */
export async function installPacked(
  folder: string,
  packages: readonly PackedPackage[],
  others: readonly string[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ name: "consumer", private: true })}\n`);
  const wanted = [...packages.map(({ tarball }) => tarball), ...others];
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...wanted], { folder });
}

/** The files' paths from the folder, with forward slashes. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.toSorted().map((path) => relative(folder, path).split(sep).join("/"));
}
