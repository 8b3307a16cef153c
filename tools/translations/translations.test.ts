import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import launchButton from "../../packages/sdk/src/launchButton.json" with { type: "json" };
import { problemsOf, termProblems, textsOf } from "./checkTexts.ts";
import glossary from "./glossary.json" with { type: "json" };

const LANGUAGES = Object.keys(glossary);
/** The pages for users, and the messages that support sends to a user. */
const FOLDERS = ["packages/domain/src/languages", "packages/domain/src/support/languages"];

const addressOf = (folder: string, name = "") => fileURLToPath(new URL(`../../${folder}/${name}`, import.meta.url));
const read = async (folder: string, language: string) =>
  textsOf(JSON.parse(await readFile(addressOf(folder, `${language}.json`), "utf8")));

describe.each(FOLDERS)("the translations in %s", (folder) => {
  test("are one file for each language", async () => {
    const files = (await readdir(addressOf(folder))).filter((name) => name.endsWith(".json"));
    expect(files.toSorted()).toEqual(LANGUAGES.map((language) => `${language}.json`).toSorted());
  });

  test.each(LANGUAGES)("are complete and well-formed in %s", async (language) => {
    const [texts, english] = await Promise.all([read(folder, language), read(folder, "en")]);
    expect(problemsOf(language, texts, english)).toEqual([]);
    const untranslated = [...texts].filter(([path, text]) => language !== "en" && english.get(path) === text);
    expect(untranslated).toEqual([]);
  });
});

test("the launch page of the SDK has a button in each language", () => {
  expect(Object.keys(launchButton).toSorted()).toEqual(LANGUAGES.toSorted());
});

test.each(LANGUAGES)("%s has one term for each thing", async (language) => {
  const texts = await Promise.all(FOLDERS.map((folder) => read(folder, language)));
  expect(termProblems(language, new Map(texts.flatMap((one) => [...one])))).toEqual([]);
});

describe("the check", () => {
  const english = new Map([["greeting", "Hello {name}: {count, plural, one {# post} other {# posts}}"]]);
  const check = (text: string, language = "fr") => problemsOf(language, new Map([["greeting", text]]), english);
  const FORMS = "one {#\u00a0article} many {#\u00a0d’articles} other {#\u00a0articles}";

  test("accepts a correct text", () => {
    expect(check(`Bonjour {name}\u00a0: {count, plural, ${FORMS}}`)).toEqual([]);
  });

  test.each([
    ["a missing text", problemsOf("fr", new Map(), english), "greeting is missing."],
    ["a surplus text", problemsOf("fr", new Map([...english, ["more", "Plus"]]), english), "more is not in"],
    ["a lost placeholder", check(`Bonjour\u00a0: {count, plural, ${FORMS}}`), "has the placeholders"],
    ["a lost number", check(`{name}\u00a0: {count, plural, one {un} many {#} other {#}}`), "has the placeholders"],
    ["a missing form", check("{name}\u00a0: {count, plural, one {#} other {#}}"), "has the plural forms"],
    ["an ordinary space", check(`Bonjour {name} : {count, plural, ${FORMS}}`), "needs a no-break space"],
    ["an ordinary space in a form", check("{name}\u00a0: {count, plural, one {# ?} many {#} other {#}}"), "no-break"],
    ["unknown syntax", check("{name}\u00a0: {count, number, ::currency/EUR}"), "is not valid"],
    ["an unclosed brace", check("Bonjour {name"), "is not valid"],
    ["an empty text", check(" "), "is empty"],
  ])("reports %s", (_, problems, expected) => {
    expect(problems.join("\n")).toContain(expected);
  });

  test("reports another term than the glossary's, and a term that no message uses", () => {
    const problems = termProblems("fr", new Map([["revoke", "Déconnectez le compte"]]));
    expect(problems).toContain("revoke says déconnect: use dissocie (to disconnect).");
    expect(problems).toContain("No message contains plateforme (a social network).");
  });
});
