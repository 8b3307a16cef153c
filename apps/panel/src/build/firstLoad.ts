import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Limit for the first load of any page without its charts, compressed with gzip. */
export const FIRST_LOAD_LIMIT_BYTES = 226_000;

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
  /** Source of the largest page. */
  readonly page: string;
  readonly bytes: number;
}

/** The compressed size of the largest page: the document and every file that the page needs before it can be used. */
export async function measureFirstLoad(folder: string): Promise<FirstLoad> {
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  if (entry === undefined) throw new Error("The manifest has no entry.");
  const pages = manifest[entry]?.dynamicImports ?? [];
  const index = await readFile(join(folder, "index.html"), "utf8");
  const named = [...index.matchAll(/\/panel\/(assets\/[^"]+)/g)].map(([, file = ""]) => file);
  const shared = new Set([...filesOf(manifest, [entry]), ...named]);
  const sizes = await compressedSizes(folder);
  const sizeOf = (page: string | null) => {
    const files = new Set([...shared, ...(page === null ? [] : filesOf(manifest, [page])), "index.html"]);
    return [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  };
  const loads = [null, ...pages].map((page) => ({ page: page ?? entry, bytes: sizeOf(page) }));
  return loads.reduce((largest, load) => (load.bytes > largest.bytes ? load : largest));
}

export async function checkFirstLoad(folder: string): Promise<FirstLoad> {
  const load = await measureFirstLoad(folder);
  if (load.bytes > FIRST_LOAD_LIMIT_BYTES) {
    throw new Error(
      `The first load of ${load.page} is ${load.bytes} bytes compressed; the limit is ${FIRST_LOAD_LIMIT_BYTES}.`,
    );
  }
  return load;
}

/** The files of chunks and of their static imports. */
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
