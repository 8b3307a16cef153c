import { expect, test } from "vitest";
import { type CursorQuery, INVALID_CURSOR, queryMarks, refuseCursor } from "./cursorQuery.ts";

const QUERY = ["content", "application", ["connectionId", "c"], ["publishedAfter", "1"], ["publishedBefore", "2"]];
const queryOf = (over: Readonly<Record<string, string>>): CursorQuery =>
  QUERY.map((part) => (typeof part === "string" ? part : [part[0] ?? "", over[part[0] ?? ""] ?? part[1] ?? ""]));
const messageFor = (over: Readonly<Record<string, string>>) =>
  refuseCursor(queryOf(over), queryMarks(queryOf({}))).message;

test.each([
  [{ connectionId: "d" }, "`connectionId` differs."],
  [{ publishedAfter: "0", publishedBefore: "3" }, "`publishedAfter` and `publishedBefore` differ."],
  [
    { connectionId: "d", publishedAfter: "0", publishedBefore: "3" },
    "`connectionId`, `publishedAfter` and `publishedBefore` differ.",
  ],
])("names the arguments that differ from those of the cursor: %j", (over, expected) => {
  expect(messageFor(over)).toBe(`${INVALID_CURSOR.message} ${expected} Use the values that the page was read with.`);
});

test.each([
  ["of another list", queryMarks(["connections", "application", ["tenantKey", "t"], ["externalSubjectId", "s"]])],
  ["of another application", queryMarks(["content", "other", ...queryOf({}).slice(2)])],
  ["without marks", undefined],
  ["that was altered", queryMarks(queryOf({}))],
])("names none for a cursor %s", (_, marks) => {
  expect(refuseCursor(queryOf({}), marks)).toBe(INVALID_CURSOR);
});

test("a mark is one byte, from which no value can be read", () => {
  expect(queryMarks(["x".repeat(200), ["externalSubjectId", "ada@example.com"]])).toMatch(/^[0-9a-f]{4}$/);
});
