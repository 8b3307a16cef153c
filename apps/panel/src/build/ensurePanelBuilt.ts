import { createHash } from "node:crypto";
import { glob, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildPanel, PANEL_ROOT } from "./buildPanel.ts";

/** Below node_modules, so that it is one clone's own and git never sees it. */
const CACHE_FOLDER = join(PANEL_ROOT, "node_modules/.cache/panel");
/** All that a build is made from; tests and what builds it leave no trace in it. */
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
/** Builds that are kept, so that a server that was started before the last change goes on. */
const KEPT_BUILDS = 4;
const LOOK_AGAIN_MS = 100;

/**
 * The folder of a build of these sources: `index.html` and `assets/`. Builds when there is none, a few seconds; any number
 * of processes may ask at once, one of them builds and none sees half a build.
 */
export async function ensurePanelBuilt(): Promise<string> {
  const { folder, built } = await beginPanelBuild();
  await built;
  return folder;
}

/** The same for somebody who has other things to do meanwhile: where the build will lie, and when it does. */
export async function beginPanelBuild(): Promise<{ readonly folder: string; readonly built: Promise<void> }> {
  const folder = join(CACHE_FOLDER, await stampOfSources());
  const built = buildOnce(folder);
  // Whoever waits gets the failure; until someone does, it is no unhandled one.
  built.catch(() => undefined);
  return { folder, built };
}

async function buildOnce(folder: string): Promise<void> {
  await mkdir(CACHE_FOLDER, { recursive: true });
  while (!(await exists(folder))) {
    const release = await takeTurn(`${folder}.lock`);
    if (release === null) {
      await setTimeout(LOOK_AGAIN_MS);
      continue;
    }
    try {
      if (!(await exists(folder))) await buildAside(folder);
    } finally {
      await release();
    }
  }
}

/** SHA-256 over names and contents of the sources, as hex. */
export async function stampOfSources(): Promise<string> {
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

/** Built beside its place and moved there when whole. */
async function buildAside(folder: string): Promise<void> {
  const draft = await mkdtemp(`${folder}.`);
  try {
    await buildPanel(draft);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds();
}

async function removeOldBuilds(): Promise<void> {
  const names = (await readdir(CACHE_FOLDER)).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const builds = await Promise.all(
    names.map(async (name) => ({ path: join(CACHE_FOLDER, name), at: (await stat(join(CACHE_FOLDER, name))).mtimeMs })),
  );
  const old = builds.toSorted((left, right) => right.at - left.at).slice(KEPT_BUILDS);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

/** Null while another process has it. The turn of a process that is no more is free again. */
async function takeTurn(lockFile: string): Promise<(() => Promise<void>) | null> {
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
