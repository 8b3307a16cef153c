/** The page of threats: a row for each, with links to the tests that assert it. */

export const LAST_ROW = 91;

export interface ThreatLink {
  /** As a test file writes it. */
  readonly title: string;
  /** From the page's folder. */
  readonly path: string;
}

interface ThreatRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** The problems of the page. `read` returns the text of a file by its path relative to the page, or null. */
export function problemsOfThreats(page: string, read: (path: string) => string | null): string[] {
  const rows = rowsOf(page);
  const numbers = rows.map(({ number }) => number);
  const missing = Array.from({ length: LAST_ROW }, (_, index) => index + 1).filter((row) => !numbers.includes(row));
  const repeated = numbers.filter((row, index) => numbers.indexOf(row) !== index || row < 1 || row > LAST_ROW);
  return [
    ...missing.map((row) => `row ${row} is missing`),
    ...repeated.map((row) => `row ${row} is duplicated, or is beyond ${LAST_ROW}`),
    ...rows.flatMap((row) => problemsOfRow(row, read)),
  ];
}

function rowsOf(page: string): ThreatRow[] {
  return page.split("\n").flatMap((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    return /^\d{1,3}$/.test(cells[0] ?? "") ? [{ number: Number(cells[0]), cells }] : [];
  });
}

function problemsOfRow({ number, cells }: ThreatRow, read: (path: string) => string | null): string[] {
  const [, threat = "", outcome = "", tests = ""] = cells;
  if (cells.length !== 4 || threat === "" || outcome === "") return [`row ${number} does not have four filled cells`];
  const links = linksOf(tests);
  if (links.length === 0) return [`row ${number} links no test`];
  return links.flatMap(({ title, path }) => {
    const text = read(path);
    if (text === null) return [`row ${number} links ${path}, which does not exist`];
    return hasTitle(text, title) ? [] : [`row ${number}: ${path} has no test "${title}"`];
  });
}

/** Titles may hold brackets and parentheses, so a link ends where the next begins, or the cell does. */
function linksOf(cell: string): ThreatLink[] {
  return cell.split("<br>").flatMap((link) => {
    const match = /^\[(.+)\]\(([^()\s]+)\)$/.exec(link.trim());
    return match ? [{ title: (match[1] ?? "").replaceAll("\\|", "|"), path: match[2] ?? "" }] : [];
  });
}

/** A complete string in the source: a prefix of another title does not count. */
function hasTitle(text: string, title: string): boolean {
  return ['"', "'", "`"].some((quote) => text.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote));
}
