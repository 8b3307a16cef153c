import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import type { Language } from "./languages.ts";
import pt from "./pt.json" with { type: "json" };

/** English decides which messages the other languages contain. */
export type Texts = typeof en;
export type ErrorName = keyof Texts["errors"];

/** The messages of the pages for end users, in ICU message format. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, pt, it, ja };
