import synonyms from "./synonyms.json" with { type: "json" };

/** Other words for what titles name: a page whose title has all words of a key is found by the others too. */
const SYNONYMS = Object.entries(synonyms.titles).map(([subject, words]) => ({ names: wordsOf(subject), words }));
/** Words that people use for each other: a heading with one of a group is found by the others too. */
const GROUPS = synonyms.groups.map((words) => ({ names: wordsOf(words), words }));

/**
 * Ranks a section: the operation of this name, guides, error codes, then what explains the project, and generated pages last.
 * Terms are in lower case, without their endings.
 * The browser gets each function of this file as text, so none that runs there may use anything outside itself.
 */
export function boostDocument(id: string, term: string, fields?: Record<string, unknown>): number {
  const titles = Array.isArray(fields?.["titles"]) ? fields["titles"] : [];
  const isPage = titles.length === 0;
  // The operation of this name.
  if (
    (titles.includes("Queries") || titles.includes("Mutations")) &&
    String(fields?.["title"]).toLowerCase() === term
  ) {
    return 4;
  }
  const isGenerated = /\/reference\/packages\/|\/(?:changelog|contents)\.html/.test(id);
  const explains =
    /\/(?:apps|examples|explanation|runbooks)\/|\/(?:benchmarks|glossary|threats)\.html|(?<!errors)\/(?:#|$)/;
  return (
    (isPage ? 1.3 : 1) *
    (isGenerated ? 0.1 : /\/graphql\//.test(id) && !isPage ? 0.55 : 1) *
    (explains.test(id) ? 0.6 : /\/(?:packages|contributing)\//.test(id) ? 0.85 : /\/faq\.html/.test(id) ? 1.2 : 1)
  );
}

/**
 * Words are found whole, by their parts and without their punctuation: RATE_LIMITED, limited, createConnectSession, nextjs.
 * Ids, keys and addresses in a text that was pasted name no page.
 */
function tokenize(text: string): string[] {
  const value = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d+(?:\.\d+){3}/gi;
  return text
    .replaceAll(value, " ")
    .split(/[\n\r\p{Z}\p{S}`"'()[\]{}<>,;:!?/\\|]+|\.(?=\s|$)/u)
    .flatMap((word) => {
      const parts = word.split(/[_.\-\p{P}]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part !== "");
      if (parts.length === 0) return [];
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
    /^(?:[a-z]|an|and|are|at|be|but|by|can|do|does|for|from|have|how|if|in|is|it|my|no|not|of|on|or|should|than|that|the|their|there|they|this|to|use|using|was|we|what|when|where|which|who|why|will|with|you|your)$/.test(
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

/** Words of many subjects weigh less, and so do the parts of a name: in "cors errors", cors names the page. */
function boostTerm(term: string, _index: number, terms: readonly string[]): number {
  const isPart = (other: string) => other !== term && /[_.-]/.test(other) && other.includes(term);
  if (terms.includes(`${term}s`) || terms.some(isPart)) return 0.25;
  return /^(?:account|add|after|all|any|api|app|application|before|call|chang|config|connection|creat|data|endpoint|error|exampl|find|first|get|graphql|issu|key|list|long|make|many|mean|much|need|new|page|per|problem|provider|request|run|same|servic|set|show|support|system|token|user|version|work)$/.test(
    term,
  )
    ? 0.6
    : 1;
}

/** Whole words, as in a title: RATE_LIMITED is one. */
function wordsOf(title: string): readonly string[] {
  return title.split(/[\s,:()]+/).flatMap((word) => processTerm(word) ?? []);
}

/** Only the build reads documents. A message is found by its own words alone. */
function extractField(document: Readonly<Record<string, unknown>>, field: string): unknown {
  const { title, titles } = document;
  if (field === "message") return /#message-\d+$/.test(String(document["id"])) ? title : undefined;
  if (!FIELDS.includes(field)) return document[field];
  if (/#message-\d+$/.test(String(document["id"]))) return undefined;
  if (field === "heading") return title;
  if (field === "headings") return titles;
  if (field === "text") return document["text"];
  if (field === "alike") return alikeOf(String(title));
  const page = new Set(wordsOf(String([titles].flat()[0] ?? title)));
  return SYNONYMS.filter(({ names }) => names.every((name) => page.has(name)))
    .map(({ words }) => words)
    .join(" ");
}

function alikeOf(heading: string): string {
  const names = new Set(wordsOf(heading));
  return GROUPS.filter((group) => group.names.some((name) => names.has(name)))
    .flatMap(({ names: others, words }) => words.split(" ").filter((_, index) => !names.has(others[index] ?? "")))
    .join(" ");
}

/** A message answers a text that repeats most of its words, not a few that it has too. */
function filter({ id, title, queryTerms }: { id: unknown; title?: unknown; queryTerms: readonly string[] }): boolean {
  if (!/#message-\d+$/.test(String(id))) return true;
  const words = String(title)
    .toLowerCase()
    .match(
      /(?!(?:and|are|but|can|does|for|from|have|how|not|should|than|that|the|their|there|they|this|use|using|was|what|when|where|which|who|why|will|with|you|your)\b)\b[\p{L}_]{3,}/gu,
    );
  return queryTerms.length >= Math.min(5, new Set(words).size * 0.7);
}

const FIELDS = ["heading", "headings", "text", "words", "alike", "message"];

export const miniSearch = {
  options: { tokenize, processTerm, fields: FIELDS, extractField },
  searchOptions: {
    prefix,
    fuzzy,
    combineWith: "OR",
    boostDocument,
    boostTerm,
    filter,
    weights: { prefix: 0.1, fuzzy: 0.1 },
    boost: { heading: 3, headings: 3, text: 1, words: 3, alike: 1.5, message: 6 },
  },
} as const;
