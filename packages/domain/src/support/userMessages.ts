import { LANGUAGES, type Language } from "../languages/languages.ts";
import type { SupportCause } from "./explainConnection.ts";
import de from "./languages/de.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import ja from "./languages/ja.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };

/** A sentence for each known time, and the message of each cause. */
type Texts = Readonly<Record<SupportCause | TimeName, string>>;
type TimeName = "since" | "next" | "end";
export type UserTimes = Readonly<Record<TimeName, Date | null>>;

const TEXTS: Readonly<Record<Exclude<Language, "en">, Texts>> = { de, fr, es, pt, it, ja };

export interface UserMessage {
  readonly language: Language;
  readonly text: string;
}

/** The message for the user in every language. The English one has its times within the sentences. */
export function userMessages(cause: SupportCause, english: string, times: UserTimes): UserMessage[] {
  return LANGUAGES.map((language) => {
    return { language, text: language === "en" ? english : translated(language, cause, times) };
  });
}

function translated(language: Exclude<Language, "en">, cause: SupportCause, times: UserTimes): string {
  const texts = TEXTS[language];
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  const sentences = (["since", "next", "end"] as const).flatMap((name) => {
    const time = times[name];
    return time === null ? [] : [texts[name].replace("{time}", `${format.format(time)} UTC`)];
  });
  return [texts[cause], ...sentences].join(language === "ja" ? "" : " ");
}
