import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeOwnerFolder } from "./ownerFolder.ts";

/** Writes a file that only its owner may read, atomically. */
export async function writeOwnerFile(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Creates a file that only its owner may read, with its content; false if it exists. */
export async function createOwnerFile(path: string, content: string): Promise<boolean> {
  const draft = await writeDraft(path, content);
  try {
    // Unlike a rename, a link does not replace a file that another process created concurrently.
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Reads an owner-only file; when it is missing, `make` creates its content. Among concurrent processes one creates it,
 * and all read the same content.
 */
export async function readOrMakeOwnerFile(path: string, make: () => string): Promise<string> {
  const present = await readIfPresent(path);
  if (present !== null) return present;
  await createOwnerFile(path, make());
  return readFile(path, "utf8");
}

/** The content of a file; null if it does not exist. */
export async function readIfPresent(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

async function writeDraft(path: string, content: string): Promise<string> {
  await makeOwnerFolder(dirname(path));
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, content, { mode: 0o600, flag: "wx" });
  return draft;
}
