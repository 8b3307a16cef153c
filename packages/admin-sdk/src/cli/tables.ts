import { printable } from "@social-connect/contract";

/** Rows below their headings, in aligned columns. Values are escaped for a terminal. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [headings, ...cells].map(line).join("\n");
}

/** Names and values, one pair in a line; a list has a line for each entry. */
export function pairs(entries: readonly (readonly [string, string | readonly string[]])[]): string {
  const rows = entries.flatMap(([name, value]) => {
    const values = typeof value === "string" ? [value] : value.length === 0 ? ["none"] : value;
    return values.map((each, index) => [index === 0 ? name : "", printable(each)] as const);
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join("\n");
}
