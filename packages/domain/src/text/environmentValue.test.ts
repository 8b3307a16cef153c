import { expect, test } from "vitest";
import { environmentValue } from "./environmentValue.ts";

test.each([
  ["acme-studio", "acme-studio"],
  ["https://app.example:8080/a%20b", "https://app.example:8080/a%20b"],
  ["", "''"],
  ["a b $HOME", "'a b $HOME'"],
  ["it's", `"it's"`],
  ["it's $HOME", null],
])("%j is written as %j", (value, written) => {
  expect(environmentValue(value)).toBe(written);
});
