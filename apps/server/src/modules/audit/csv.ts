/**
 * What makes spreadsheet programs read a cell as a formula, also behind white space and in full width (OWASP, CSV injection).
 */
const FORMULA = /^'*(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;

/**
 * A line of a CSV file (RFC 4180). Each cell is quoted. A cell that would be a formula gets an apostrophe before it, also behind
 * apostrophes of its own, so that different values stay different.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${neutral(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;
}

function neutral(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}
