import type { Language } from "../languages/languages.ts";
import de from "./languages/de.json" with { type: "json" };
import en from "./languages/en.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import ja from "./languages/ja.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };

/** A sentence for each known time, `updated` for the last successful scan, and the message of each cause. */
type Texts = typeof en;
type TimeName = "since" | "updated" | "next" | "end";
export type UserTimes = Readonly<Record<Exclude<TimeName, "updated">, Date | null>>;

const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, pt, it, ja };

/** Their `since` is the last successful scan. */
const UPDATED: ReadonlySet<string> = new Set([
  "UP_TO_DATE",
  "SCAN_INCOMPLETE",
  "SCAN_OVERDUE",
  "CONSENT_ENDS_SOON",
] satisfies (keyof Texts)[]);

export interface UserMessage {
  readonly language: Language;
  readonly text: string;
}

/** The message of a cause and the known times, for the user. */
export function userMessage(language: Language, cause: Exclude<keyof Texts, TimeName>, times: UserTimes): string {
  const texts = TEXTS[language];
  // “27 Nov 2026, 11:25”, as the panel writes times.
  const locale = language === "en" ? "en-GB" : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  const sentences = (["since", "next", "end"] as const).flatMap((name) => {
    const time = times[name];
    const label = name === "since" && UPDATED.has(cause) ? "updated" : name;
    return time === null ? [] : [texts[label].replace("{time}", `${format.format(time)} UTC`)];
  });
  return [texts[cause], ...sentences].join(language === "ja" ? "" : " ");
}
