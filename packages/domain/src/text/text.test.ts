import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { characterCount, checkName, checkText, isStorableText, utf8Text } from "./text.ts";

test("bytes are text when they are UTF-8, and nothing otherwise", () => {
  expect(utf8Text(new TextEncoder().encode("\ufeffcafé 🦊"))).toBe("\ufeffcafé 🦊");
  expect(utf8Text(new Uint8Array())).toBe("");
  for (const bytes of [[0xe9], [0x63, 0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf0, 0x9f, 0xa6]]) {
    expect(utf8Text(Uint8Array.from(bytes))).toBeNull();
  }
});

describe("storable text", () => {
  test.each(["", "plain", "line\nbreak", "\u0001", "é", "🦊", "\u{10ffff}", "👩‍👩‍👧", "\ufffd"])(
    "%j is storable",
    (text) => {
      expect(isStorableText(text)).toBe(true);
    },
  );

  test.each(["\0", "a\0b", "\ud800", "\udfff", "a\ud83d", "\udd8a\ud83e", "🦊\ud800"])("%j is not", (text) => {
    expect(isStorableText(text)).toBe(false);
  });

  test("is exactly the text that survives UTF-8 unchanged and contains no NUL", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.string({ unit: "binary", maxLength: 1 }), fc.constantFrom("\ud800", "\udc00", "\0")),
        }),
        (text) => {
          const unchanged = Buffer.from(text, "utf8").toString("utf8") === text;
          expect(isStorableText(text)).toBe(unchanged && !text.includes("\0"));
        },
      ),
    );
  });
});

test("characters are code points", () => {
  expect(characterCount("")).toBe(0);
  expect(characterCount("a🦊é")).toBe(3);
});

test.each([
  ["", false],
  ["a", true],
  ["a".repeat(4), true],
  ["🦊".repeat(4), true],
  ["a".repeat(5), false],
  ["a\0", false],
])("of 1 to 4 characters, %j is fine: %s", (text, fine) => {
  const refusal = checkText(text, "title", { maxLength: 4 });
  expect(refusal === null).toBe(fine);
  if (refusal !== null)
    expect(refusal).toMatchObject({ code: "BAD_USER_INPUT", message: expect.stringContaining("title") });
});

test.each([
  "Acme",
  "  padded ",
  "<script>alert(1)</script>",
  "متجر الأزهار",
  "👩‍👩‍👧‍👦",
  "می‌خواهم",
  "统一",
  "a\u200ea",
])("%j can be a name", (text) => {
  expect(checkName(text, "label", { maxLength: 80 })).toBeNull();
});

test.each([
  "",
  "   ",
  "\u00a0\u2003",
  "\u200b\u200d\ufeff",
  "\u3164",
  "two\nlines",
  "a\u2028b",
  "a\tb",
  "a\u0085b",
  "abc\u202egnp.exe",
  "a\u2067b\u2069",
  "a\0b",
  "a\ud800",
  "x".repeat(81),
])("%j cannot: it is invisible or misleading", (text) => {
  expect(checkName(text, "label", { maxLength: 80 })).toMatchObject({
    code: "BAD_USER_INPUT",
    message: expect.stringContaining("label"),
  });
});
