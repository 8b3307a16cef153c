import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** For a deployment with its own database: what `npm install --omit=optional @social-connect/server` may take on disk. */
export const MOST_INSTALLED_MB = 80;
const SHOWN = 10;

/** The size of `node_modules`, with what each package takes. */
export async function measureInstalled(folder: string): Promise<{ megabytes: number; largest: string }> {
  const modules = join(folder, "node_modules");
  const sizes = new Map<string, number>();
  const entries = await readdir(modules, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const [scope = "", name = ""] = path.slice(modules.length + 1).split(/[\\/]/);
    const owner = scope.startsWith("@") ? `${scope}/${name}` : scope;
    const { blocks, size } = await lstat(path);
    // As `du` counts: whole blocks. Where the system has none, the length.
    sizes.set(owner, (sizes.get(owner) ?? 0) + (blocks > 0 ? blocks * 512 : size));
  }
  const inMegabytes = (bytes: number) => bytes / 1_000_000;
  const all = [...sizes].toSorted(([, one], [, other]) => other - one);
  const largest = all.slice(0, SHOWN).map(([name, bytes]) => `${name} ${inMegabytes(bytes).toFixed(1)}`);
  return {
    megabytes: Math.ceil(inMegabytes(all.reduce((sum, [, bytes]) => sum + bytes, 0))),
    largest: largest.join(", "),
  };
}

/** Throws when an installation is larger than it may be. */
export function checkSize({ megabytes, largest }: { readonly megabytes: number; readonly largest: string }): void {
  if (megabytes <= MOST_INSTALLED_MB) return;
  throw new Error(`node_modules has ${megabytes} MB, more than ${MOST_INSTALLED_MB}; the largest packages: ${largest}`);
}
