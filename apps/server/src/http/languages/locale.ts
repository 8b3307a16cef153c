import { LANGUAGES, type Language } from "@social-connect/domain";

/** A language with the visitor's region, for formats of numbers and times. */
export interface Locale {
  readonly language: Language;
  /** The language, or the language with a region, such as `de-AT`. */
  readonly tag: string;
}

export const DEFAULT_LOCALE: Locale = { language: "en", tag: "en" };

/** No browser and no application sends more. */
const MAX_LENGTH = 1_024;
const MAX_TAGS = 16;

/**
 * The language of a page: the first that is known of `ui_locales` (tags separated by spaces, the preferred one first, as in
 * OpenID Connect Core 3.1.2.1), then of the Accept-Language header. What is malformed or too long is ignored.
 */
export function chooseLocale(uiLocales: string | null, acceptLanguage: string | null): Locale {
  return firstKnown(requestedTags(uiLocales)) ?? firstKnown(acceptedTags(acceptLanguage)) ?? DEFAULT_LOCALE;
}

/** The known language of one tag (RFC 4647 3.4: lookup, by the language subtag); null for others. */
export function localeOf(tag: string): Locale | null {
  try {
    const { language, region } = new Intl.Locale(tag);
    const known = LANGUAGES.find((one) => one === language);
    // Extensions such as another calendar are omitted.
    return known === undefined ? null : { language: known, tag: region === undefined ? known : `${known}-${region}` };
  } catch {
    return null;
  }
}

function firstKnown(tags: readonly string[]): Locale | null {
  for (const tag of tags) {
    const locale = localeOf(tag);
    if (locale !== null) return locale;
  }
  return null;
}

function requestedTags(uiLocales: string | null): readonly string[] {
  if (uiLocales === null || uiLocales.length > MAX_LENGTH) return [];
  // Many frameworks write their own locales as `pt_BR`.
  const tags = uiLocales.replaceAll("_", "-").split(" ", MAX_TAGS);
  return tags.filter((tag) => tag !== "");
}

/** RFC 9110 5.3 and 12.4.2: a weight of 0 to 1 with up to three digits; 0 refuses a language. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

function acceptedTags(header: string | null): readonly string[] {
  if (header === null || header.length > MAX_LENGTH) return [];
  return header
    .split(",", MAX_TAGS)
    .map((part) => {
      const [tag = "", parameter, ...others] = part.split(";").map((text) => text.trim());
      const weight = parameter === undefined ? "1" : WEIGHT.exec(parameter)?.[1];
      return { tag, weight: others.length > 0 ? 0 : Number(weight ?? 0) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ tag }) => tag);
}
