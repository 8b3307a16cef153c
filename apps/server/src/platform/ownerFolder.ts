import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder that only its owner may enter, and those above it that are missing. Node's own recursive `mkdir` never
 * ends where the system denies a folder that is there to be made in, as below /proc.
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
