/**
 * Ranks a section: the page whose heading is the word, then guides, error codes and operations, and generated pages last.
 * The browser gets each function of this file as text, so none may use anything outside itself.
 */
export function boostDocument(id: string, term: string, fields?: Record<string, unknown>): number {
  const titles = Array.isArray(fields?.["titles"]) ? fields["titles"] : [];
  const title = String(fields?.["title"]).toLowerCase();
  const isPage = titles.length === 0;
  const isOperation =
    /\/reference\/graphql\//.test(id) &&
    (titles.includes("Queries") || titles.includes("Mutations")) &&
    title.includes(term.toLowerCase());
  const isGenerated = /\/reference\/(?:packages|graphql)\/|\/(?:changelog|contents)\.html/.test(id);
  return (
    (title === term.toLowerCase() && (isPage || isOperation) ? 5 : 1) *
    (isPage ? 3 : 1) *
    (/\/(?:how-to|tutorials|reference\/errors)\//.test(id) ? 2 : 1) *
    (isOperation ? 4 : isGenerated ? 0.1 : 1) *
    (/\/(?:packages|examples|apps|contributing)\/|\/benchmarks\.html/.test(id) ? 0.3 : 1) *
    (/\/operations\/runbooks\/|\/(?:#|$)/.test(id) ? 0.4 : 1) *
    (/\/explanation\//.test(id) ? 0.6 : 1)
  );
}

/** Words are found whole, by their parts and without their punctuation: RATE_LIMITED, limited, createConnectSession, nextjs. */
function tokenize(text: string): string[] {
  return text.split(/[\n\r\p{Z}\p{S}`"'()[\]{}<>,;:!?/\\|]+|\.(?=\s|$)/u).flatMap((word) => {
    const parts = word.split(/[_.\-\p{P}]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== "");
    return parts.length > 1 ? [word, ...parts, parts.join("")] : parts;
  });
}

/** A short word is rarely a typing mistake of another: cors is not core. */
function fuzzy(term: string): number | boolean {
  return term.length < 5 ? false : 0.15;
}

export const miniSearch = {
  options: { tokenize },
  searchOptions: {
    prefix: true,
    fuzzy,
    combineWith: "AND",
    boostDocument,
    boost: { title: 6, titles: 2, text: 1 },
  },
} as const;
