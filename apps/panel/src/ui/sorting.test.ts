import { expect, test } from "vitest";
import { compareValues } from "./sorting.ts";

test("sorts numbers by value, and strings as people read them", () => {
  expect([10, 9, 100].toSorted(compareValues)).toEqual([9, 10, 100]);
  expect(["b10", "B2", "a"].toSorted(compareValues)).toEqual(["a", "B2", "b10"]);
});
