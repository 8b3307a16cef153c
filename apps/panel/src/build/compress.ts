import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** Smaller files do not benefit from compression. */
const LEAST_BYTES = 1_024;

/** Writes a `.br` and a `.gz` copy of every text file in a folder, so that the service does not compress on request. */
export async function compressFiles(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name))) {
    const content = await readFile(join(folder, name));
    if (content.length < LEAST_BYTES) continue;
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
  }
}
