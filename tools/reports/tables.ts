/** Tables of Markdown in the pages that are written from the code. */
export const code = (text: string) => `\`${text}\``;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The page with each table between the comments that name it. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, lines]) => {
    const [open, close] = [`<!-- table: ${name} -->`, `<!-- /table: ${name} -->`];
    const [before = "", rest = ""] = text.split(open);
    const [, after = ""] = rest.split(close);
    return `${before}${open}\n${lines}\n${close}${after}`;
  }, page);
}
