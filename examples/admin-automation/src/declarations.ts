import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClientDeclaration, parseDeclarations } from "@social-connect/admin-sdk";

/** Every declaration in a folder. Throws DeclarationError with file, line and field before any request is sent. */
export async function readDeclarations(folder: string): Promise<readonly ClientDeclaration[]> {
  const names = (await readdir(folder)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const declarations: ClientDeclaration[] = [];
  for (const name of names) {
    const path = join(folder, name);
    declarations.push(...parseDeclarations(await readFile(path, "utf8"), { source: path }));
  }
  return declarations;
}
