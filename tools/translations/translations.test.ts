import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";
import launchButton from "../../packages/sdk/src/launchButton.json" with { type: "json" };
import glossary from "./glossary.json" with { type: "json" };

/** Messages in ICU message format, by their path. */
type Texts = ReadonlyMap<string, string>;

/** The messages of a JSON file: `errors.expired.title` and so on. */
function textsOf(value: unknown, path = ""): Texts {
  if (typeof value === "string") return new Map([[path, value]]);
  const entries = Object.entries(value ?? {});
  return new Map(entries.flatMap(([key, inner]) => [...textsOf(inner, path === "" ? key : `${path}.${key}`)]));
}

/** What is wrong with a translation, compared with the English messages; see docs/contributing/translations.md. */
function problemsOf(language: string, texts: Texts, english: Texts): readonly string[] {
  const missing = [...english.keys()].filter((path) => !texts.has(path)).map((path) => `${path} is missing.`);
  const found = [...texts].flatMap(([path, text]) =>
    textProblems(language, text, english.get(path)).map((problem) => `${path} ${problem}`),
  );
  return [...missing, ...found];
}

/** Finds terms that `glossary.json` replaces, and terms of the glossary that no message contains. */
function termProblems(language: string, texts: Texts): readonly string[] {
  const pathsWith = (word: string) => [...texts].flatMap(([path, text]) => (RegExp(word, "iu").test(text) ? path : []));
  return glossary[language as keyof typeof glossary].flatMap(({ thing, use, not }) => [
    ...(pathsWith(use).length > 0 ? [] : [`No message contains ${use} (${thing}).`]),
    ...not.flatMap((word) => pathsWith(word).map((path) => `${path} says ${word}: use ${use} (${thing}).`)),
  ]);
}

function textProblems(language: string, text: string, english: string | undefined) {
  const problems: string[] = [];
  if (english === undefined) problems.push("is not in the English file.");
  if (text.trim() === "" || text !== text.trim()) problems.push("is empty, or begins or ends with a space.");
  try {
    const parts = partsOf(parse(text, { ignoreTag: true }));
    const expected = partsOf(parse(english ?? text, { ignoreTag: true }));
    const [has, needs] = [parts.placeholders.join(", "), expected.placeholders.join(", ")];
    if (has !== needs) problems.push(`has the placeholders “${has}” instead of “${needs}”.`);
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted().join(", ");
    for (const forms of parts.plurals) {
      if (forms.join(", ") !== categories) problems.push(`has the plural forms “${forms}” instead of “${categories}”.`);
    }
    if (language === "fr" && parts.literals.some((literal) => WITHOUT_NO_BREAK_SPACE.test(literal))) {
      problems.push("needs a no-break space before ; : ! ? and inside « ».");
    }
  } catch (error) {
    problems.push(`is not valid: ${error instanceof Error ? error.message : "unknown"}.`);
  }
  return problems;
}

const WITHOUT_NO_BREAK_SPACE = /(?<![\u00a0\u202f])[;:!?»]|«(?![\u00a0\u202f])/u;

interface Parts {
  readonly literals: readonly string[];
  /** Placeholders with their formats, in each form of a plural. */
  readonly placeholders: readonly string[];
  readonly plurals: readonly (readonly string[])[];
}

function partsOf(elements: readonly MessageFormatElement[]): Parts {
  const literals: string[] = [];
  const placeholders = new Set<string>();
  const plurals: string[][] = [];
  for (const element of elements) {
    if (element.type === TYPE.literal) literals.push(element.value);
    else if (element.type === TYPE.plural) {
      plurals.push(Object.keys(element.options).toSorted());
      const forms = Object.values(element.options).map(({ value }) => partsOf(value));
      literals.push(...forms.flatMap((form) => form.literals));
      for (const form of forms) placeholders.add(`plural ${element.value} {${form.placeholders.join(", ")}}`);
    } else if (element.type === TYPE.argument || element.type === TYPE.date)
      placeholders.add(element.type === TYPE.date ? `date ${element.value} ${String(element.style)}` : element.value);
    else if (element.type === TYPE.pound) placeholders.add("#");
    else throw new Error("only plurals, dates and plain placeholders are used");
  }
  return { literals, placeholders: [...placeholders].toSorted(), plurals };
}

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
