import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeOwnerFolder } from "./ownerFolder.ts";

/** Writes a file that only its owner may read, whole or not at all. */
export async function writeOwnerFile(path: string, content: string): Promise<void> {
  const draft = await writeDraft(path, content);
  await rename(draft, path);
}

/**
 * Reads a file of the owner's; when there is none, `make` fills it. Of processes that make it at the same time one wins,
 * and all read what that one wrote.
 */
export async function readOrMakeOwnerFile(path: string, make: () => string): Promise<string> {
  const present = await readIfPresent(path);
  if (present !== null) return present;
  const draft = await writeDraft(path, make());
  try {
    // Unlike a rename, a link does not replace what another process put there meanwhile.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, "utf8");
}

async function readIfPresent(path: string): Promise<string | null> {
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
