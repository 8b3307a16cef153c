import { LANGUAGES } from "@social-connect/domain";
import { describe, expect, test } from "vitest";
import { chooseLocale, localeOf } from "./locale.ts";

describe("the Accept-Language header", () => {
  test.each([
    [null, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de-AT"],
    ["en;q=0.5, fr;q=0.9", "fr"],
    ["fr;q=0.9, es;q=0.9", "fr"],
    ["sv, nb;q=0.9, it;q=0.1", "it"],
    ["de;q=0, ja;q=0.1", "ja"],
    ["pt-BR", "pt-BR"],
    ["PT-br", "pt-BR"],
    ["zh-Hant-TW, *", "en"],
    ["*", "en"],
    ["de;q=2, es;q=0.1", "es"],
    ["de;q=0.1234, es;q=0.1", "es"],
    ["de;level=1;q=1, es;q=0.1", "es"],
    ["-, _, de_DE, fr", "fr"],
    ["es-419", "es-419"],
    ["de-u-ca-buddhist-nu-arab", "de"],
    ["ja-Latn-JP", "ja-JP"],
    [`${"sv,".repeat(15)}de`, "de"],
    [`${"sv,".repeat(16)}de`, "en"],
    [`de${" ".repeat(1_023)}`, "en"],
  ])("%j chooses %s", (header, tag) => {
    expect(chooseLocale(null, header).tag).toBe(tag);
  });
});

describe("ui_locales", () => {
  test.each([
    ["de", "de"],
    ["fr-CA fr en", "fr-CA"],
    ["sv  ja", "ja"],
    ["pt_BR", "pt-BR"],
    ["zh_Hant de_at", "de-AT"],
    ["_", "it"],
    ["sv nb", "it"],
    ["", "it"],
    ["de,fr", "it"],
    ["<script>", "it"],
    ["de\u0000", "it"],
    [`${"sv ".repeat(16)}de`, "it"],
    ["x".repeat(1_025), "it"],
  ])("%j comes before the header: %s", (uiLocales, tag) => {
    expect(chooseLocale(uiLocales, "it").tag).toBe(tag);
  });
});

test("every language is found by its own tag, and a tag is never anything but letters, digits and a hyphen", () => {
  for (const language of LANGUAGES) expect(localeOf(language)).toEqual({ language, tag: language });
  expect(localeOf("de-CH-1996-u-co-phonebk-x-private")?.tag).toBe("de-CH");
});
