import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * Refuses a symbolic link, or a junction of Windows, at the folder or at any part of a path inside it: a file would be written
 * somewhere else. Links above the folder are the user's own way to it.
 */
export async function refuseLinks(folder: string, path: string): Promise<void> {
  // Without a trailing slash, with which the link would be followed.
  const root = resolve(folder);
  const parts = relative(root, join(root, path)).split(sep);
  for (let length = 0; length <= parts.length; length += 1) {
    const part = join(root, ...parts.slice(0, length));
    const stats = await lstat(part).catch(() => null);
    if (stats?.isSymbolicLink())
      throw new Error(
        `${part} is a symbolic link, and nothing is written through it. Remove it, or choose another folder.`,
      );
  }
}

/** Writes a file, unless it or a folder of its path has become a link since the check. */
export async function writeWithoutLinks(folder: string, path: string, content: string): Promise<void> {
  await refuseLinks(folder, dirname(path));
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const file = await open(join(resolve(folder), path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}
