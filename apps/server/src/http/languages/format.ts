/** A text with placeholders such as `{application}`. */
export type Text = string;

/** A text for each plural category that a language distinguishes for whole numbers. */
export type PluralText = Partial<Record<Intl.LDMLPluralRule, Text>> & { readonly other: Text };

export type Values = Readonly<Record<string, string | number>>;

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** Fills in the placeholders. With a plural text, `count` chooses the form. The result is plain text, to be escaped. */
export function format(language: string, text: Text | PluralText, values: Values = {}): string {
  const chosen = typeof text === "string" ? text : pluralForm(language, text, values);
  return chosen.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? new Intl.NumberFormat(language).format(value) : isolated(value);
  });
}

function pluralForm(language: string, text: PluralText, { count }: Values): Text {
  return text[new Intl.PluralRules(language).select(Number(count))] ?? text.other;
}

/** A name in another direction must not reorder the sentence around it (UAX 9). */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value;
}

/** A time of day, as the language and the region write it. */
export function timeOfDay(locale: string, time: Date): string {
  const options = { hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/** A day with the time of day, as the language and the region write it. */
export function dayAndTime(locale: string, time: Date): string {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const options = { ...day, hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}
