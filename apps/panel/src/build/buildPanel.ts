import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

export const PANEL_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `index.html` and `assets/` into a folder. */
export async function buildPanel(folder: string): Promise<void> {
  const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"],
    { cwd: PANEL_ROOT, env: { ...process.env, NODE_ENV: "production" } },
  ).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`Cannot build the panel:\n${error.stderr || error.stdout || error.message}`);
  });
  await compressFiles(join(folder, "assets"));
}

/** Smaller files do not benefit from compression. */
const LEAST_BYTES = 1_024;

/** Writes a `.br` and a `.gz` copy of every text file in a folder, so that the service does not compress on request. */
async function compressFiles(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name))) {
    const content = await readFile(join(folder, name));
    if (content.length < LEAST_BYTES) continue;
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
  }
}
