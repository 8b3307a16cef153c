import { expect, test } from "vitest";
import { csvRow } from "./csv.ts";

test("quotes every cell, so that separators, quotes and line breaks stay in it", () => {
  expect(csvRow(["a", "b,c", 'say "hi"', "two\nlines", ""])).toBe('"a","b,c","say ""hi""","two\nlines",""\r\n');
});

test.for([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "  =1",
  "\uFF1D1+1",
  '=HYPERLINK("http://evil.example","x")',
  "'=1",
])("a cell %j is text for a spreadsheet", (cell) => {
  expect(csvRow([cell])).toBe(`"'${cell.replaceAll('"', '""')}"\r\n`);
});

test("leaves other cells unchanged", () => {
  for (const cell of ["a=b", "1-2", "admin@example.test", "'quoted'"]) expect(csvRow([cell])).toBe(`"${cell}"\r\n`);
});
