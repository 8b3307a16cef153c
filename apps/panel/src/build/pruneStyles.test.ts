import { expect, test } from "vitest";
import { pruneUnused } from "./pruneStyles.ts";

const USED = new Set(["m_11111111"]);

test.each([
  [".m_11111111{color:red}", true],
  [".m_22222222{color:red}", false],
  ["[data-mantine-color-scheme=dark] .m_11111111:hover{color:red}", true],
  [":where([data-mantine-color-scheme=dark]) .m_22222222{color:red}", false],
  [":where(.m_11111111,.m_22222222) .own{color:red}", true],
  [":where(.m_22222222) .own{color:red}", false],
  [".m_11111111 .m_22222222{color:red}", false],
  [".own{color:red}", true],
  ["body{color:red}", true],
  ["@media (width>=40em){.m_11111111{color:red}}", true],
  ["@media (width>=40em){.m_22222222{color:red}}", false],
])("%s is retained if a used component can match it: %s", (styles, stays) => {
  expect(pruneUnused(styles, USED).includes("color:red")).toBe(stays);
});

test("retains the selectors of a rule that can match", () => {
  expect(pruneUnused(".m_22222222,.m_11111111{color:red}", USED)).toBe(".m_11111111{color:red}");
});
