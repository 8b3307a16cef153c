import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeWithoutLinks } from "./links.ts";
import { DEFAULT_PORT, planFiles } from "./planFiles.ts";
import { findTemplate, TEMPLATES, type TemplateName } from "./templates.ts";

/** What to create, and where. */
export interface CreateOptions {
  /** The folder of the application; it is created when it does not exist. */
  readonly folder: string;
  /** The kind of application. */
  readonly template: TemplateName;
  /** The port of the application; 3000 by default. */
  readonly port?: number;
  /** Decides whether these existing files may be replaced. By default none may. */
  readonly confirmOverwrite?: (paths: readonly string[]) => boolean | Promise<boolean>;
}

/** What was done. */
export interface CreateResult {
  /** The files that were written, from the application's folder. */
  readonly written: readonly string[];
  /** What existing files have instead of what the template needs. */
  readonly notes: readonly string[];
}

/** Existing files would have to be replaced. Nothing was written. */
export class FilesExistError extends Error {
  override readonly name = "FilesExistError";
  /** The files, from the application's folder. */
  readonly paths: readonly string[];

  /** Created by `createApplication`. */
  constructor(paths: readonly string[], notes: readonly string[]) {
    super([`These files exist with other content: ${paths.join(", ")}.`, ...notes].join(" "));
    this.paths = paths;
  }
}

/**
 * Writes the files of an application. Adds to an existing package.json and .gitignore; any other existing file with other
 * content is replaced only if `confirmOverwrite` agrees, and without its consent nothing is written. Rejects a symbolic link in
 * the place of the folder, of a folder in it, or of a file.
 */
export async function createApplication({
  folder,
  template: name,
  port = DEFAULT_PORT,
  confirmOverwrite = () => false,
}: CreateOptions): Promise<CreateResult> {
  const template = findTemplate(name);
  if (template === undefined) throw new Error(unknownTemplate(name));
  const files = await planFiles({ folder, template, port });
  const notes = files.flatMap(({ note }) => (note === undefined ? [] : [note]));
  const conflicts = files.filter(({ state }) => state === "conflict").map(({ path }) => path);
  if (conflicts.length > 0 && !(await confirmOverwrite(conflicts))) throw new FilesExistError(conflicts, notes);
  const changed = files.filter(({ state }) => state !== "unchanged");
  await mkdir(folder, { recursive: true });
  for (const { path, content } of changed) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeWithoutLinks(folder, path, content);
  }
  return { written: changed.map(({ path }) => path), notes };
}

export function unknownTemplate(name: string): string {
  return `There is no template ${name}. Choose one of ${TEMPLATES.map((template) => template.name).join(", ")}.`;
}
