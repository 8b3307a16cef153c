import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = new URL("../../docs/security/", import.meta.url);
const PAGE = readFileSync(new URL("threats.md", FOLDER), "utf8");

const LAST_ROW = 96;

/** The page has a row for each threat, with links to the tests that assert it. */
function problemsOfThreats(page: string): string[] {
  const rows = page.split("\n").flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    return /^ *\d{1,3} *$/.test(cells[0] ?? "") ? [cells.map((cell) => cell.trim())] : [];
  });
  const numbers = rows.map(([number]) => Number(number));
  const missing = Array.from({ length: LAST_ROW }, (_, index) => index + 1).filter((row) => !numbers.includes(row));
  const repeated = numbers.filter((row, index) => numbers.indexOf(row) !== index || row < 1 || row > LAST_ROW);
  return [
    ...missing.map((row) => `row ${row} is missing`),
    ...repeated.map((row) => `row ${row} is duplicated, or is beyond ${LAST_ROW}`),
    ...rows.flatMap(([number, ...cells]) => problemsOfRow(cells).map((problem) => `row ${number} ${problem}`)),
  ];
}

function problemsOfRow([threat = "", outcome = "", tests = "", ...others]: readonly string[]): string[] {
  if (threat === "" || outcome === "" || others.length > 0) return ["does not have four filled cells"];
  // Titles may hold brackets and parentheses, so a link ends where the next begins, or the cell does.
  const links = tests.split("<br>").flatMap((link) => {
    const [, title, path = ""] = /^\[(.+)\]\(([^()\s]+)\)$/.exec(link.trim()) ?? [];
    return title === undefined ? [] : [{ title: title.replaceAll("\\|", "|"), file: new URL(path, FOLDER), path }];
  });
  if (links.length === 0) return ["links no test"];
  return links.flatMap(({ title, file, path }) => {
    if (!existsSync(file)) return [`links ${path}, which does not exist`];
    const text = readFileSync(file, "utf8");
    // A complete string in the source, behind the id of a case: a prefix of another title does not count.
    const hasTitle = ['"', "'", "`"].some((quote) =>
      text
        .split(title.replaceAll(quote, `\\${quote}`) + quote)
        .slice(0, -1)
        .some((before) => before.endsWith(quote) || new RegExp(`${quote}S\\d\\.[^:${quote}]+: $`).test(before)),
    );
    return hasTitle ? [] : [`links ${path}, which has no test "${title}"`];
  });
}

test("every threat has a row, and every row a test that exists", () => {
  expect(problemsOfThreats(PAGE)).toEqual([]);
});

const rowOf = (number: number) => PAGE.split("\n").find((line) => line.startsWith(`| ${number} |`)) as string;

test.each([
  ["a missing row", PAGE.replace(`${rowOf(7)}\n`, ""), "row 7 is missing"],
  ["a doubled row", `${PAGE}${rowOf(7)}\n`, "row 7 is duplicated"],
  [
    "a row beyond the last",
    `${PAGE}| ${LAST_ROW + 1} | a | b | c |\n`,
    `row ${LAST_ROW + 1} is duplicated, or is beyond`,
  ],
  ["a row without a test", PAGE.replace(rowOf(7), "| 7 | a | b | |"), "row 7 links no test"],
  ["a row with text for a test", PAGE.replace(rowOf(7), "| 7 | a | b | by hand |"), "row 7 links no test"],
  ["a file that does not exist", PAGE.replace(rowOf(7), "| 7 | a | b | [t](../nowhere.test.ts) |"), "does not exist"],
  ["a title that does not exist", PAGE.replace("a dump of the database contains", "a dump contains"), "has no test"],
  ["a row put off without a reason", PAGE.replace(rowOf(64), "| 64 | a | b | Still to come: |"), "row 64"],
  [
    "a row put off that has its tests",
    PAGE.replace(rowOf(7), "| 7 | a | b | Still to come: when there is time |"),
    "row 7",
  ],
])("%s is found", (_, page, problem) => {
  expect(problemsOfThreats(page).join("\n")).toContain(problem);
});
