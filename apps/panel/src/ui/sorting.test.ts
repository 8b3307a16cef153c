import { expect, test } from "vitest";
import { compareValues } from "./sorting.ts";

test("sorts numbers by value, strings as people read them, and missing values last", () => {
  expect([10, 9, 100].toSorted(compareValues)).toEqual([9, 10, 100]);
  expect(["b10", "B2", "a"].toSorted(compareValues)).toEqual(["a", "B2", "b10"]);
  expect([null, "a", null, "b"].toSorted(compareValues)).toEqual(["a", "b", null, null]);
});
