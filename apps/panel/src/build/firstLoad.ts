import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** What a first visit may load, the page that is shown included, as gzip makes it. */
export const FIRST_LOAD_LIMIT_BYTES = 250_000;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

export interface FirstLoad {
  /** The heaviest page, by its source. */
  readonly page: string;
  readonly bytes: number;
}

/** Compressed size of a first visit to the heaviest page: the document, and all that the page needs before it can be used. */
export async function measureFirstLoad(folder: string): Promise<FirstLoad> {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  if (entry === undefined) throw new Error("the build names no entry");
  const pages = manifest[entry]?.dynamicImports ?? [];
  const shared = filesOf(manifest, [entry]);
  const sizes = await compressedSizes(folder);
  const weigh = (page: string | null) => {
    const files = new Set([...shared, ...(page === null ? [] : filesOf(manifest, [page])), "index.html"]);
    return [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  };
  const loads = [null, ...pages].map((page) => ({ page: page ?? entry, bytes: weigh(page) }));
  return loads.reduce((heaviest, load) => (load.bytes > heaviest.bytes ? load : heaviest));
}

export async function checkFirstLoad(folder: string): Promise<FirstLoad> {
  const load = await measureFirstLoad(folder);
  if (load.bytes > FIRST_LOAD_LIMIT_BYTES) {
    throw new Error(
      `a first visit to ${load.page} loads ${load.bytes} bytes compressed, and may load ${FIRST_LOAD_LIMIT_BYTES}`,
    );
  }
  return load;
}

/** Files of chunks and of all that they import at once. */
function filesOf(manifest: Manifest, names: readonly string[], seen = new Set<string>()): Set<string> {
  const files = new Set<string>();
  for (const name of names) {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(name)) continue;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file);
    for (const file of filesOf(manifest, chunk.imports ?? [], seen)) files.add(file);
  }
  return files;
}

async function compressedSizes(folder: string): Promise<Map<string, number>> {
  const names = ["index.html", ...(await readdir(join(folder, "assets"))).map((name) => `assets/${name}`)];
  const sizes = names.map(async (name) => {
    const content = await promisify(gzip)(await readFile(join(folder, name)), { level: 9 });
    return [name, content.length] as const;
  });
  return new Map(await Promise.all(sizes));
}
