import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { buildPanel, PANEL_ROOT } from "./buildPanel.ts";

/** In node_modules, which is per clone and ignored by git. */
const CACHE_FOLDER = join(PANEL_ROOT, "node_modules/.cache/panel");
/** The inputs of a build, without tests and build scripts. */
const SOURCES = [
  "index.html",
  "package.json",
  "vite.config.ts",
  "public/*",
  "src/**/*.{ts,tsx,css,svg}",
  "../../packages/{contract,domain}/src/**/*.ts",
  "../../pnpm-lock.yaml",
];
const NOT_SOURCES = /\.test\.ts$|^src\/(?:build|journeys)\//;
/** Recent builds are retained for servers that still serve them. */
const RETAINED_BUILDS = 4;
/** The builds of this process, by folder. */
const begun = new Map<string, Promise<void>>();

/**
 * Returns the folder of a build of the current sources: `index.html` and `assets/`. Builds if it is missing, which takes a
 * few seconds. Safe for concurrent processes: each may build, and no one sees an incomplete build.
 */
export async function ensurePanelBuilt(): Promise<string> {
  const { folder, built } = await beginPanelBuild();
  await built;
  return folder;
}

/** Like `ensurePanelBuilt`, but returns before the build is complete. */
export async function beginPanelBuild(): Promise<{ readonly folder: string; readonly built: Promise<void> }> {
  const folder = join(CACHE_FOLDER, await hashSources());
  const built = begun.get(folder) ?? (existsSync(folder) ? Promise.resolve() : buildAtomically(folder));
  begun.set(folder, built);
  // Avoids an unhandled rejection until a caller awaits it.
  built.catch(() => begun.delete(folder));
  return { folder, built };
}

/** The first 32 hex digits of a SHA-256 over the names and contents of the sources. */
async function hashSources(): Promise<string> {
  const paths: string[] = [];
  for (const pattern of SOURCES) {
    for await (const path of glob(pattern, { cwd: PANEL_ROOT })) paths.push(path.replaceAll("\\", "/"));
  }
  const hash = createHash("sha256");
  for (const path of paths.filter((path) => !NOT_SOURCES.test(path)).toSorted()) {
    const content = createHash("sha256").update(await readFile(join(PANEL_ROOT, path)));
    hash.update(`${path}\0${content.digest("hex")}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

/** Builds into a temporary folder and renames it, unless another process was faster. */
async function buildAtomically(folder: string): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  try {
    await buildPanel(temporary);
    await rename(temporary, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await removeOldBuilds();
}

async function removeOldBuilds(): Promise<void> {
  const names = (await readdir(CACHE_FOLDER)).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const builds = await Promise.all(
    names.map(async (name) => ({ path: join(CACHE_FOLDER, name), at: (await stat(join(CACHE_FOLDER, name))).mtimeMs })),
  );
  const old = builds.toSorted((left, right) => right.at - left.at).slice(RETAINED_BUILDS);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}
