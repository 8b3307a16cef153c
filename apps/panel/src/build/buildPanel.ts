import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compressFiles } from "./compress.ts";
import { checkFirstLoad } from "./firstLoad.ts";

/** The panel's package. */
export const PANEL_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the panel into a folder: `index.html` and `assets/`. Fails when a first visit would load more than it may. */
export async function buildPanel(folder: string): Promise<void> {
  const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"],
    { cwd: PANEL_ROOT, env: { ...process.env, NODE_ENV: "production" } },
  ).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`the panel could not be built:\n${error.stderr || error.stdout || error.message}`);
  });
  await checkFirstLoad(folder);
  // It says which file needs which; once the sizes are known nobody asks.
  await rm(join(folder, "manifest.json"));
  await compressFiles(join(folder, "assets"));
}
