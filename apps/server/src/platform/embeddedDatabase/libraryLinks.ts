import { readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** The content of the package's `native/pg-symlinks.json`: paths relative to its folder. */
interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the symbolic links among PostgreSQL's libraries, which an npm package cannot contain. The package's install
 * script creates them too, but package managers run such scripts only for trusted packages.
 */
export async function makeLibraryLinks(packageFolder: string): Promise<void> {
  const links = await readLinks(packageFolder);
  await Promise.all(
    links.map(async ({ source, target }) => {
      // An existing link is fine; where none can be created, PostgreSQL itself reports the missing library.
      await symlink(relative(dirname(target), source), join(packageFolder, target)).catch(() => undefined);
    }),
  );
}

async function readLinks(packageFolder: string): Promise<readonly LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(packageFolder, "native", "pg-symlinks.json"), "utf8")) as LibraryLink[];
  } catch {
    // Not every platform needs links.
    return [];
  }
}
