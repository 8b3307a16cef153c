import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder that only its owner may enter, and its missing parents. Node's recursive `mkdir` never returns where
 * the system refuses folders in an existing one, as below /proc.
 */
export async function makeOwnerFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await makeOwnerFolder(dirname(path));
    await make();
  });
}
