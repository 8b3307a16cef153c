import { expect, test } from "vitest";
import { touchedChanges, touchedOf, touchedText } from "./touched.ts";

test("counts survive the audit log, zeros included", () => {
  const touched = { connections: 2_000, posts: 0, keys: 1 };
  expect(touchedOf([{ field: "enabled", before: true, after: false }, ...touchedChanges(touched)])).toEqual(touched);
  expect(touchedChanges({})).toEqual([]);
});

test("names what is affected, and what could be but is not", () => {
  expect(touchedText({ connections: 2_000, posts: 0, keys: 1 })).toBe("2,000 connections, no posts and 1 key");
  expect(touchedText({ testers: 1, keptTesters: 0 })).toBe("1 tester");
  expect(touchedText({ testers: 0, keptTesters: 1 })).toBe(
    "no testers and 1 tester entry of another person, which stays",
  );
  expect(touchedText({})).toBeNull();
});
