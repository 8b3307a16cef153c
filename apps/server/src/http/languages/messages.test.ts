import { describe, expect, test } from "vitest";
import { EN } from "./en.ts";
import { format, type PluralText, timeOfDay } from "./format.ts";
import { LANGUAGES } from "./locale.ts";
import { MESSAGES } from "./messages.ts";

/** The messages of a language by their path; a plural text is an object with `other`. */
function messagesOf(value: unknown, path = ""): [path: string, text: string | PluralText][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  if ("other" in value) return [[path, value as PluralText]];
  return Object.entries(value).flatMap(([key, inner]) => messagesOf(inner, `${path}.${key}`));
}

const formsOf = (text: string | PluralText) => (typeof text === "string" ? [text] : Object.values(text));
const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
const ENGLISH = new Map(messagesOf(EN));

test("the control: a missing text, a lost placeholder and a missing plural form are noticed", () => {
  expect(messagesOf({ a: "x", b: { other: "y" } }).map(([path]) => path)).toEqual([".a", ".b"]);
  expect(placeholdersIn("{b} of {a}")).toEqual(["{a}", "{b}"]);
  expect(new Intl.PluralRules("ja").resolvedOptions().pluralCategories).toEqual(["other"]);
});

describe.each(LANGUAGES)("the messages in %s", (language) => {
  const messages = messagesOf(MESSAGES[language]);

  test("are complete and not empty", () => {
    expect(messages.map(([path]) => path).sort()).toEqual([...ENGLISH.keys()].sort());
    for (const [path, text] of messages) for (const form of formsOf(text)) expect(form.trim(), path).not.toBe("");
  });

  test("have the placeholders of the English text in every form", () => {
    for (const [path, text] of messages) {
      const [english = ""] = formsOf(ENGLISH.get(path) ?? "");
      for (const form of formsOf(text)) expect([path, placeholdersIn(form)]).toEqual([path, placeholdersIn(english)]);
    }
  });

  test("have exactly the plural forms of the language", () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = messages.filter(([, text]) => typeof text !== "string");
    expect(plurals).not.toEqual([]);
    for (const [path, text] of plurals)
      expect([path, Object.keys(text).sort()]).toEqual([path, [...categories].sort()]);
  });

  test("leave no placeholder when they are shown", () => {
    const values = {
      application: "Atelier",
      host: "provider.example",
      time: "12:00",
      origin: "https://a.example",
      count: 1_000_000,
    };
    for (const [path, text] of messages) expect(format(language, text, values), path).not.toMatch(/[{}]/);
  });
});

test.each(LANGUAGES.filter((language) => language !== "en"))("the messages in %s are translated", (language) => {
  const same = messagesOf(MESSAGES[language]).filter(([path, text]) => ENGLISH.get(path) === text);
  expect(same).toEqual([]);
});

test("a text is filled in with the numbers and the times of the language", () => {
  expect(format("de", DE_DAYS, { count: 1 })).toBe("1 Tag");
  expect(format("de", DE_DAYS, { count: 12_345 })).toBe("12.345 Tage");
  const noon = new Date("2026-03-01T15:05:00.000Z");
  expect(timeOfDay("de", noon)).toBe("15:05 UTC");
  expect(timeOfDay("en", noon).replace(/\s/gu, " ")).toBe("3:05 PM UTC");
  expect(timeOfDay("en-GB", noon)).toBe("15:05 UTC");
});
const DE_DAYS = { one: "{count} Tag", other: "{count} Tage" };

test("a value with placeholders is not filled in again, and a name from right to left is isolated", () => {
  expect(format("en", "{application} at {host}", { application: "{host}", host: "x" })).toBe("{host} at x");
  expect(format("en", "Back to {application}", { application: "שלום" })).toBe("Back to \u2068שלום\u2069");
});
