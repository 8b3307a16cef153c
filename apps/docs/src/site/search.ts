import { searchWordsOf } from "./searchWords.ts";

/**
 * Ranks a section: the page whose heading is the word, then guides, error codes and operations, and generated pages last.
 * The browser gets each function of this file as text, so none that runs there may use anything outside itself.
 */
export function boostDocument(id: string, term: string, fields?: Record<string, unknown>): number {
  const titles = Array.isArray(fields?.["titles"]) ? fields["titles"] : [];
  const title = String(fields?.["title"]).toLowerCase();
  const isPage = titles.length === 0;
  const isOperation =
    /\/reference\/graphql\//.test(id) &&
    (titles.includes("Queries") || titles.includes("Mutations")) &&
    title === term.toLowerCase();
  const isGenerated = /\/reference\/(?:packages|graphql)\/|\/(?:changelog|contents)\.html/.test(id);
  return (
    (title === term.toLowerCase() && (isPage || isOperation) ? 5 : 1) *
    (isPage ? 3 : 1) *
    (/\/(?:how-to|tutorials|reference\/errors)\//.test(id) ? 2 : 1) *
    (isOperation ? 2 : isGenerated ? 0.1 : 1) *
    (/\/(?:packages|examples|apps|contributing)\/|\/benchmarks\.html/.test(id) ? 0.3 : 1) *
    (/\/operations\/runbooks\/|\/(?:#|$)/.test(id) ? 0.4 : 1) *
    (/\/explanation\//.test(id) ? 0.6 : 1)
  );
}

/** Words are found whole, by their parts and without their punctuation: RATE_LIMITED, limited, createConnectSession, nextjs. */
function tokenize(text: string): string[] {
  return text.split(/[\n\r\p{Z}\p{S}`"'()[\]{}<>,;:!?/\\|]+|\.(?=\s|$)/u).flatMap((word) => {
    const parts = word.split(/[_.\-\p{P}]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== "");
    return parts.length > 1 || parts[0] !== word ? [word, ...parts, parts.join("")] : parts;
  });
}

/** A short word is rarely a typing mistake of another: cors is not core. */
function fuzzy(term: string): number | boolean {
  return term.length < 5 ? false : 0.15;
}

/** While a word is typed; two letters begin too many words. */
function prefix(term: string): boolean {
  return term.length > 2;
}

/** Drops the words of a question that do not name its subject. */
function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  return /^(?:an?|and|are|at|can|do|does|for|from|have|how|i|in|is|it|my|no|not|of|on|or|the|there|to|use|using|what|when|where|which|why|will|with|you)$/.test(
    word,
  )
    ? null
    : word;
}

/** Words of many subjects weigh less: in "cors errors", cors names the page. */
function boostTerm(term: string): number {
  return /^(?:accounts?|after|apps?|applications?|connections?|data|endpoints?|errors?|examples?|graphql|issues?|keys?|problems?|requests?|services?|tokens?|users?|versions?)$/.test(
    term,
  )
    ? 0.3
    : 1;
}

/** Only the build reads documents. */
function extractField(document: Readonly<Record<string, unknown>>, field: string): unknown {
  if (field !== "words") return document[field];
  return Array.isArray(document["titles"]) && document["titles"].length === 0
    ? searchWordsOf(String(document["id"]))
    : "";
}

const FIELDS = ["title", "titles", "text", "words"];

export const miniSearch = {
  options: { tokenize, fields: FIELDS, extractField },
  searchOptions: {
    prefix,
    fuzzy,
    combineWith: "OR",
    boostDocument,
    processTerm,
    boostTerm,
    weights: { prefix: 0.1, fuzzy: 0.1 },
    boost: { title: 6, titles: 2, text: 1, words: 4 },
  },
} as const;
