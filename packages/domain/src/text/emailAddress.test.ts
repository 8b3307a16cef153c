import { expect, test } from "vitest";
import { asEmailAddress } from "./emailAddress.ts";

const LONGEST_LABEL = "a".repeat(63);

test.each([
  ["ada@example.test", "ada@example.test"],
  [" Ada.Lovelace+Admin@Example.TEST\n", "ada.lovelace+admin@example.test"],
  ["o'brien_1@sub-domain.example.test", "o'brien_1@sub-domain.example.test"],
  ["#!$%&*/=?^`{|}~-@example.test", "#!$%&*/=?^`{|}~-@example.test"],
  ["x@1.example.xn--p1ai", "x@1.example.xn--p1ai"],
  ["x@a.bc", "x@a.bc"],
  [`${"x".repeat(64)}@${LONGEST_LABEL}.test`, `${"x".repeat(64)}@${LONGEST_LABEL}.test`],
])("%j is stored as %j", (text, kept) => {
  expect(asEmailAddress(text)).toBe(kept);
});

test.each([
  "",
  "nobody",
  "@example.test",
  "ada@",
  "ada@localhost",
  "ada@@example.test",
  "ada@b@example.test",
  ".ada@example.test",
  "ada.@example.test",
  "a..b@example.test",
  "a b@example.test",
  "ada@exa mple.test",
  "ada@example..test",
  "ada@.example.test",
  "ada@example.test.",
  "ada@-example.test",
  "ada@example-.test",
  "ada@exam_ple.test",
  "ada@127.0.0.1",
  "ada@[127.0.0.1]",
  '"ada"@example.test',
  "ada(admin)@example.test",
  "Ada <ada@example.test>",
  "ada@example.test,bob@example.test",
  "ada\0@example.test",
  "ada\n@example.test",
  "ädа@example.test",
  // The Kelvin sign: an ordinary k in lower case.
  "\u212aim@example.test",
  "ada@example.\u212aim",
  `${"x".repeat(65)}@example.test`,
  `ada@a${LONGEST_LABEL}.test`,
  `ada@${`${LONGEST_LABEL}.`.repeat(4)}test`,
])("%j is not an admin's address", (text) => {
  expect(asEmailAddress(text)).toBe(null);
});

test("a long string that is not an address is rejected", () => {
  expect(asEmailAddress(`${"a.".repeat(100_000)}@${"a-".repeat(100_000)}`)).toBe(null);
});
