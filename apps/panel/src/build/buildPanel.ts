import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compressFiles } from "./compress.ts";
import { checkFirstLoad } from "./firstLoad.ts";

export const PANEL_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `index.html` and `assets/` into a folder. Fails if the first load exceeds its limit. */
export async function buildPanel(folder: string): Promise<void> {
  const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"],
    { cwd: PANEL_ROOT, env: { ...process.env, NODE_ENV: "production" } },
  ).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`Cannot build the panel:\n${error.stderr || error.stdout || error.message}`);
  });
  await checkFirstLoad(folder);
  // Only the size check needs it.
  await rm(join(folder, "manifest.json"));
  await compressFiles(join(folder, "assets"));
}
