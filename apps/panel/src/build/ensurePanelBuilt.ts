import { createHash } from "node:crypto";
import { glob, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
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
const LOCK_POLL_MS = 100;

/**
 * Returns the folder of a build of the current sources: `index.html` and `assets/`. Builds if it is missing, which takes a
 * few seconds. Safe for concurrent processes: one builds, and no one sees an incomplete build.
 */
export async function ensurePanelBuilt(): Promise<string> {
  const { folder, built } = await beginPanelBuild();
  await built;
  return folder;
}

/** Like `ensurePanelBuilt`, but returns before the build is complete. */
export async function beginPanelBuild(): Promise<{ readonly folder: string; readonly built: Promise<void> }> {
  const folder = join(CACHE_FOLDER, await hashSources());
  const built = buildOnce(folder);
  // Avoids an unhandled rejection until a caller awaits it.
  built.catch(() => undefined);
  return { folder, built };
}

async function buildOnce(folder: string): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  while (!(await exists(folder))) {
    const release = await acquireLock(`${folder}.lock`);
    if (release === null) {
      await setTimeout(LOCK_POLL_MS);
      continue;
    }
    try {
      if (!(await exists(folder))) await buildAtomically(folder);
    } finally {
      await release();
    }
  }
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

/** Builds into a temporary folder and renames it. */
async function buildAtomically(folder: string): Promise<void> {
  const temporary = await mkdtemp(`${folder}.`);
  try {
    await buildPanel(temporary);
    await rename(temporary, folder);
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

/** Returns null while another process has the lock. Removes the lock of a process that has ended. */
async function acquireLock(lockFile: string): Promise<(() => Promise<void>) | null> {
  const file = await open(lockFile, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    return null;
  });
  if (file === null) {
    const holder = Number(await readFile(lockFile, "utf8").catch(() => ""));
    if (holder > 0 && !isRunning(holder)) await rm(lockFile, { force: true });
    return null;
  }
  await file.writeFile(String(process.pid));
  await file.close();
  return () => rm(lockFile, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
