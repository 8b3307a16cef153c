import { printable, printableJson, printableLines } from "@social-connect/contract";

/** Prints a command's result: as JSON with `--json`, otherwise for people. */
export function print(result: unknown, { json, text }: { readonly json: boolean; readonly text: string }): void {
  console.log(json ? printableJson(result) : printableLines(text));
}

export type Cell = string | number | boolean | Date | null | undefined;

/** Rows as aligned columns below their names. */
export function table(rows: readonly Readonly<Record<string, Cell>>[], whenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return whenEmpty;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Names and values, one in a line. */
export function list(values: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`)
    .join("\n");
}

function cellText(value: Cell): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? "yes" : "no";
  return printable(String(value));
}
