import { expect, test } from "vitest";
import { printable, printableJson, printableLines } from "./printable.ts";

const HOSTILE: Readonly<Record<string, string>> = {
  "an escape sequence": "\u001b[2J\u001b[1A",
  "a C1 control": "\u009b2J\u0085",
  "a carriage return": "[api] gone\r[api] ready",
  "a bell and a backspace": "\u0007\b",
  "an override and an isolate of the direction": "\u202egnp\u2066",
  "a line separator": "a\u2028b\u2029c",
  "an invisible character": "pay\u200bpal\ufeff",
  "half a surrogate pair": "\ud83d",
};
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test.each(Object.entries(HOSTILE))("shows %s as text", (_, text) => {
  expect(printable(text)).not.toMatch(HARMFUL);
  expect(printable(text)).toMatch(/\\u\{[0-9a-f]+\}/);
  expect(printableLines(`one\n${text}`)).toBe(`one\n${printable(text)}`);
  for (const indent of [0, 2]) {
    const json = printableJson({ [text]: [text] }, indent);
    expect(json.replaceAll("\n", "")).not.toMatch(HARMFUL);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
  }
});

test("shows a line break as text, except between the lines of a text of ours", () => {
  expect(printable("a\n[api] forged")).toBe("a\\u{a}[api] forged");
  expect(printableLines("a\nb")).toBe("a\nb");
  expect(printableJson({ a: "b\nc" }, 0)).toBe('{"a":"b\\nc"}');
});

test("leaves ordinary text of any script unchanged", () => {
  for (const text of ["Größe 漢字 עברית", "🦊 fox", "a\\b", ""]) expect(printable(text)).toBe(text);
});
