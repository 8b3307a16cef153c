import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

const TEXTS = new Map(Object.entries({ en, de, fr, es, pt, it, ja } satisfies Record<string, typeof en>));

/** The first known language of tags separated by spaces, with its wording; English if no tag is known. */
export function textsOf(tags: string): { readonly language: string; readonly texts: typeof en } {
  for (const tag of tags.split(" ")) {
    const [language = ""] = tag.toLowerCase().split("-");
    const texts = TEXTS.get(language);
    if (texts !== undefined) return { language, texts };
  }
  return { language: "en", texts: en };
}
