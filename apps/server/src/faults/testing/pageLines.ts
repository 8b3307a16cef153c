import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DOCS = fileURLToPath(new URL("../../../../../docs/", import.meta.url));

/** The command lines in the blocks of a section of a page, in its order, without the variables before them. */
export async function commandsOf(page: string, heading: string): Promise<string[]> {
  const text = await readFile(join(DOCS, page), "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no section ${heading}`);
  return [...section.matchAll(/^ {3,}(?:[A-Z_]+=\S+ )?(social-connect .+?)(?: &&)?$/gm)].map(([, line = ""]) => line);
}
