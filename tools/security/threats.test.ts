import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LAST_ROW, problemsOfThreats } from "./threats.ts";

const FOLDER = new URL("../../docs/security/", import.meta.url);
const PAGE = readFileSync(new URL("threats.md", FOLDER), "utf8");

function read(path: string): string | null {
  try {
    return readFileSync(fileURLToPath(new URL(path, FOLDER)), "utf8");
  } catch {
    return null;
  }
}

test("every threat has a row, and every row a test that exists", () => {
  expect(problemsOfThreats(PAGE, read)).toEqual([]);
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
  expect(problemsOfThreats(page, read).join("\n")).toContain(problem);
});
