import { describe, expect, test } from "vitest";
import { foreignName, foreignText, foreignUrl } from "./foreignText.ts";
import { isStorableText } from "./text.ts";

const HOSTILE = [
  "a\0b",
  "a\u0007b",
  "\ud83d",
  "x\udc00y",
  "\u202egnp.exe\u202c",
  "\u2066a\u2069",
  "\u009b31m",
  "\u007f",
];

describe("text of an issuer or a provider", () => {
  test("keeps text in any script, with tabs and line breaks", () => {
    for (const text of ["日本語 🎏", "שלום עולם", "a\tb\nc", "👩🏽‍🚀", "  spaces  "])
      expect(foreignText(text)).toBe(text);
    expect(foreignText("a\r\nb\rc\u2028d\u0085e")).toBe("a\nb\nc\nd\ne");
  });

  test("removes control and bidirectional characters, and replaces unpaired surrogates", () => {
    expect(HOSTILE.map((text) => foreignText(text))).toEqual([
      ...["ab", "ab", "\ufffd", "x\ufffdy", "gnp.exe", "a", "31m", null],
    ]);
    for (const text of HOSTILE) expect(isStorableText(foreignText(text) ?? "")).toBe(true);
  });

  test("shortens 200 KB, and splits no character", () => {
    expect(foreignText("x".repeat(200_000))).toHaveLength(20_000);
    expect(foreignText(`${"x".repeat(19_999)}🦊`)).toBe("x".repeat(19_999));
    expect(foreignName("🦊".repeat(100_000))).toBe("🦊".repeat(500));
  });

  test("a cleaned text stays the same", () => {
    for (const text of [...HOSTILE, "a\r\nb", "x".repeat(30_000)]) {
      const once = foreignText(text);
      expect(foreignText(once)).toBe(once);
    }
  });

  test("a name is on one line and is not blank", () => {
    expect(foreignName(" two\r\nlines\there ")).toBe("two lines here");
    for (const blank of ["", "  \n ", "\u202e", "\0", 7, null, undefined, {}, ["a"]])
      expect(foreignName(blank)).toBeNull();
  });

  test.each([
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java\nscript:alert(1)",
      " javascript:alert(1)",
      "data:text/html,x",
    ],
    ...[
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://a.example/1",
      "/a.jpg",
      "a.example",
      "https:a.example",
      "https:/a.example",
      "https://www.instagram.com@evil.example/p/1",
      "https://user:secret@a.example",
      "https://a.exam\nple/",
      "///",
      "https://",
      "ftp://a.example",
    ],
    ...[
      "https://a.example/\0",
      "https://a.example/\u202e",
      "https://a.example/\ud83d",
      `https://a.example/${"x".repeat(200_000)}`,
    ],
    ...["", 7, null, {}],
  ])("%j is not a URL", (value) => expect(foreignUrl(value)).toBeNull());

  test.each([
    ["//cdn.example/a.jpg?sig=%2B", "https://cdn.example/a.jpg?sig=%2B"],
    [" https://a.example/x ", "https://a.example/x"],
    ["https://a.example/two words.jpg", "https://a.example/two%20words.jpg"],
  ])("completes the URL %j", (given, expected) => expect(foreignUrl(given)).toBe(expected));

  test("keeps an http or https URL byte for byte", () => {
    for (const url of ["https://a.example/x?sig=%2B+a#b", "http://127.0.0.1:4400/a.svg", "HTTPS://a.example"])
      expect(foreignUrl(url)).toBe(url);
  });
});
