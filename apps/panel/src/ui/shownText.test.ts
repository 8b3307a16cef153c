import { expect, test } from "vitest";
import { shownText } from "./shownText.ts";

test.each([
  ["user-42", "user-42"],
  ["école 42", "école 42"],
  ["\u202Elive", "\\u{202e}live"],
  ["\t=1", "\\u{9}=1"],
  ["\u200B=1", "\\u{200b}=1"],
  [" 42 ", "\\u{20}42\\u{20}"],
  ["a\nb", "a\\u{a}b"],
  [" ", "\\u{20}"],
])("%j is shown as %j", (text, shown) => {
  expect(shownText(text)).toBe(shown);
});
