import { IntlMessageFormat } from "intl-messageformat";

export type Values = Readonly<Record<string, string | number | Date>>;

/** Days without a time of day: the visitor's time zone is not known. */
const FORMATS = { date: { long: { timeZone: "UTC" } } } as const;

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** A text in ICU message format with its values. The result is plain text, to be escaped. */
export function format(locale: string, text: string, values: Values = {}): string {
  const isolated = Object.entries(values).map(([name, value]) => [name, isolate(value)]);
  return String(new IntlMessageFormat(text, locale, FORMATS, { ignoreTag: true }).format(Object.fromEntries(isolated)));
}

/** A name in another direction must not reorder the sentence around it (UAX 9). */
function isolate(value: Values[string]): Values[string] {
  if (typeof value !== "string" || !RIGHT_TO_LEFT.test(value)) return value;
  return FIRST_STRONG_ISOLATE + value + POP_ISOLATE;
}
