/** What is wrong with a translation, compared with the English messages; see docs/contributing/translations.md. */
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import glossary from "./glossary.json" with { type: "json" };

/** Messages in ICU message format, by their path. */
type Texts = ReadonlyMap<string, string>;

interface Parts {
  readonly literals: readonly string[];
  /** Placeholders with their formats, in each form of a plural. */
  readonly placeholders: readonly string[];
  readonly plurals: readonly (readonly string[])[];
}

/** The messages of a JSON file: `errors.expired.title` and so on. */
export function textsOf(value: unknown, path = ""): Texts {
  if (typeof value === "string") return new Map([[path, value]]);
  const entries = Object.entries(value ?? {});
  return new Map(entries.flatMap(([key, inner]) => [...textsOf(inner, path === "" ? key : `${path}.${key}`)]));
}

export function problemsOf(language: string, texts: Texts, english: Texts): readonly string[] {
  const missing = [...english.keys()].filter((path) => !texts.has(path)).map((path) => `${path} is missing.`);
  const found = [...texts].flatMap(([path, text]) => textProblems(language, text, english.get(path), path));
  return [...missing, ...found.map(([path, problem]) => `${path} ${problem}`)];
}

/** Finds terms that `glossary.json` replaces, and terms of the glossary that no message contains. */
export function termProblems(language: string, texts: Texts): readonly string[] {
  const terms = glossary[language as keyof typeof glossary];
  const all = [...texts];
  return terms.flatMap(({ thing, use, not }) => [
    ...(all.some(([, text]) => new RegExp(use, "iu").test(text)) ? [] : [`No message contains ${use} (${thing}).`]),
    ...all.flatMap(([path, text]) =>
      not.flatMap((word) =>
        new RegExp(word, "iu").test(text) ? [`${path} says ${word}: use ${use} (${thing}).`] : [],
      ),
    ),
  ]);
}

function textProblems(language: string, text: string, english: string | undefined, path: string) {
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
  return problems.map((problem) => [path, problem] as const);
}

const WITHOUT_NO_BREAK_SPACE = /(?<![\u00a0\u202f])[;:!?»]|«(?![\u00a0\u202f])/u;

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
