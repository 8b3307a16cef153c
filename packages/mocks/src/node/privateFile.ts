import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { open, rename, rm } from "node:fs/promises";

const ONLY_OWNER = 0o600;

/**
 * Replaces a file, or creates it, for its owner only. Writes aside and renames, so that a reader and a crash never meet half
 * a file. Returns the stats of the new file.
 */
export async function replacePrivateFile(path: string, text: string): Promise<Stats> {
  // Another process that writes to the same path has its own draft.
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", ONLY_OWNER);
    try {
      await file.writeFile(text);
      await file.sync();
      const stats = await file.stat();
      await rename(draft, path);
      return stats;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
