/** Changes of a recipe, anchored at a line instead of a diff, so that other edits of a file do not break them. */
export type Edit = { readonly step: string; readonly file: string } & (
  | { readonly after: string; readonly insert: string }
  | { readonly before: string; readonly insert: string }
  | { readonly replace: string; readonly by: string }
  | { readonly create: string }
  | ({ readonly copyOf: string } & Renaming)
);

/** Names of a file or folder that is copied, and those of the copy. */
interface Renaming {
  readonly names: readonly (readonly [name: string, newName: string])[];
}

/** A change that is tried on a scratch copy. */
export interface Recipe {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The most hand-written files that the change may touch outside the folders of `own`. */
  readonly mostFiles: number;
  /** Folders that belong to what is added, for example those of a new provider: copies of a sibling's. */
  readonly copies?: readonly ({ readonly from: string; readonly to: string } & Renaming)[];
}

export function renamed(text: string, { names }: Renaming): string {
  return names.reduce((result, [name, newName]) => result.replaceAll(name, newName), text);
}

/** The text of a file after an edit. The anchor must be part of exactly one line. */
export function applyEdit(text: string | null, edit: Edit, read: (file: string) => string | null = () => null): string {
  if ("create" in edit || "copyOf" in edit) {
    if (text !== null) throw new Error(`${edit.file} already exists: choose another name in the recipe.`);
    return "create" in edit ? edit.create : renamed(read(edit.copyOf) ?? "", edit);
  }
  const anchor = "after" in edit ? edit.after : "before" in edit ? edit.before : edit.replace;
  const lines = (text ?? "").split("\n");
  const found = lines.flatMap((line, index) => (line.includes(anchor) ? [index] : []));
  const [at] = found;
  if (at === undefined || found.length > 1) {
    throw new Error(
      `${edit.file}: ${found.length} lines contain the anchor ${JSON.stringify(anchor)}, instead of one. ` +
        "If the code has moved, change the edit in tools/recipes; the recipe may still touch as few files as before.",
    );
  }
  if ("replace" in edit) lines[at] = (lines[at] ?? "").replace(edit.replace, () => edit.by);
  else lines.splice("after" in edit ? at + 1 : at, 0, edit.insert);
  return lines.join("\n");
}

/** The changed files, with their text after all edits of the recipe. */
export function editedFiles({ edits }: Recipe, read: (file: string) => string | null): Map<string, string> {
  const texts = new Map<string, string>();
  for (const edit of edits) texts.set(edit.file, applyEdit(texts.get(edit.file) ?? read(edit.file), edit, read));
  return texts;
}

/** The files that count: hand-written, outside the folders of what is added. */
export function countedFiles({ edits, copies = [] }: Recipe): string[] {
  return [...new Set(edits.map(({ file }) => file))].filter((file) => !copies.some(({ to }) => file.startsWith(to)));
}

/** The table of the recipes page: each step with its files. */
export function tableOf(recipe: Recipe): string {
  const counted = new Set(countedFiles(recipe));
  const steps = new Map<string, string[]>();
  for (const { step, file } of recipe.edits) {
    if (!counted.has(file)) continue;
    const files = steps.get(step) ?? [];
    if (!files.includes(file)) steps.set(step, [...files, file]);
  }
  const rows = [...steps].map(([step, files]) => `| ${step} | ${files.map((file) => `\`${file}\``).join(", ")} |`);
  return ["| Step | Files |", "| --- | --- |", ...rows].join("\n");
}
