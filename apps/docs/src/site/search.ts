import searchWords from "./searchWords.json" with { type: "json" };

/** Words that people type for the subject of a page, and that its text does not have, or has only in passing. */
const SEARCH_WORDS: Readonly<Record<string, string>> = searchWords;

/**
 * Ranks a section: the operation of this name, guides, error codes, then what explains the project, and generated pages last.
 * Terms are in lower case, without their endings.
 * The browser gets each function of this file as text, so none that runs there may use anything outside itself.
 */
export function boostDocument(id: string, term: string, fields?: Record<string, unknown>): number {
  const titles = Array.isArray(fields?.["titles"]) ? fields["titles"] : [];
  const isPage = titles.length === 0;
  const isOperation =
    (titles.includes("Queries") || titles.includes("Mutations")) && String(fields?.["title"]).toLowerCase() === term;
  const isGenerated =
    /\/reference\/packages\/|\/(?:changelog|contents)\.html/.test(id) || (/\/reference\/graphql\//.test(id) && !isPage);
  return (
    (isPage ? 1.5 : 1) *
    (isOperation ? 4 : isGenerated ? 0.1 : 1) *
    (/\/(?:packages|examples|apps)\/|\/benchmarks\.html/.test(id) ? 0.75 : 1) *
    (/\/(?:contributing|explanation|operations\/runbooks)\/|\/(?:#|$)/.test(id) ? 0.5 : 1)
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
  return term.length < 5 ? false : 0.1;
}

/** While a word is typed; two letters begin too many words. */
function prefix(term: string): boolean {
  return term.length > 2;
}

/**
 * Drops the words of a question that do not name its subject, and the endings of a word: "upgrading" finds "upgrade". The names
 * of operations are also found whole, so that adminClients is not adminClient, and Windows is not a window.
 */
function processTerm(term: string): string | string[] | null {
  const word = term.toLowerCase();
  if (
    /^(?:an?|and|are|at|be|but|by|can|do|does|for|from|have|how|i|if|in|is|it|my|no|not|of|on|or|should|than|that|the|their|there|they|this|to|use|using|was|we|what|when|where|which|who|why|will|with|you|your)$/.test(
      word,
    )
  )
    return null;
  if (!/^[a-z]{5,}$/.test(word)) return word;
  const stem = word
    .replace(/ies$/, "y")
    .replace(/(?<=ss|sh|ch|x)es$|(?<=[^su])(?<!window)s$/, "")
    .replace(/(?<=.{4})ing$|(?<=.{3}[^e])ed$/, "")
    .replace(/([bdgklmnprt])\1$/, "$1")
    .replace(/(?<=.{4})e$/, "");
  return /[a-z][A-Z]/.test(term) || word === "connections" ? [word, stem] : stem;
}

/** Words of many subjects weigh less: in "cors errors", cors names the page. Terms come without their endings. */
function boostTerm(term: string): number {
  return /^(?:account|after|api|app|application|connection|data|endpoint|error|exampl|graphql|issu|key|problem|provider|request|servic|token|user|version)$/.test(
    term,
  )
    ? 0.6
    : 1;
}

/** Only the build reads documents. Each section has the search words of its page. */
function extractField(document: Readonly<Record<string, unknown>>, field: string): unknown {
  if (field !== "words") return document[field];
  const [path = ""] = String(document["id"]).split(/(?:\.html)?#/);
  const page = Object.keys(SEARCH_WORDS).find(
    (route) => path.endsWith(`/${route}`) && !path.includes("/reference/packages/"),
  );
  return page === undefined ? "" : SEARCH_WORDS[page];
}

const FIELDS = ["title", "titles", "text", "words"];

export const miniSearch = {
  options: { tokenize, processTerm, fields: FIELDS, extractField },
  searchOptions: {
    prefix,
    fuzzy,
    combineWith: "OR",
    boostDocument,
    boostTerm,
    weights: { prefix: 0.1, fuzzy: 0.1 },
    boost: { title: 3, titles: 3, text: 1, words: 3 },
  },
} as const;
