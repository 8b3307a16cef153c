import { readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** What the package lists in `native/pg-symlinks.json`: paths from its own folder. */
interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the symbolic links among PostgreSQL's libraries, which an npm package cannot carry. The package's install script
 * makes them as well, but package managers run such scripts only for packages they were told to trust.
 */
export async function makeLibraryLinks(packageFolder: string): Promise<void> {
  const links = await readLinks(packageFolder);
  await Promise.all(
    links.map(async ({ source, target }) => {
      // One that is there already is as good; where none can be made, PostgreSQL itself says which library it misses.
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
