import { ConfigurationError } from "@social-connect/sdk-core";

/** A field, or a fragment with the fields of a selection. */
export interface Node {
  /** A field's name; undefined for a fragment. */
  readonly field: string | undefined;
  /** The field's other name in the response. */
  readonly alias: string | undefined;
  /** The name of a spread fragment. */
  readonly spread: string | undefined;
  /** A directive can leave it out of the response. */
  readonly isOptional: boolean;
  readonly nodes: readonly Node[];
}

/** The parts of a document that decide what it costs, how it is retried and what its response contains. */
export interface ParsedDocument {
  readonly operations: readonly { readonly kind: string; readonly nodes: readonly Node[] }[];
  readonly fragments: ReadonlyMap<string, readonly Node[]>;
}

/** A parser calls itself for each level: the service has the same limit, and no document within its limits comes near it. */
export const MAX_TOKENS = 1_500;

/** What GraphQL ignores, or one token. */
const TOKEN =
  /[\s,\uFEFF]+|#[^\n\r]*|("""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""|"(?:[^"\\\n\r]|\\.)*"|\.\.\.|-?\d[\w.+-]*|[_A-Za-z]\w*|[!$&()[\]{}:=@|])/y;

/**
 * Parses a document. The service validates it; this only finds operations, fields and fragments. Throws
 * ConfigurationError for text that is not a document, without repeating it.
 */
export function parseDocument(text: string): ParsedDocument {
  const { tokens, starts } = tokensOf(text);
  let at = 0;
  const isName = () => /^[_A-Za-z]/.test(tokens[at] ?? "");
  const skip = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const need = (isThere: boolean, what: string) => {
    if (!isThere) throw notADocument(text, starts[at] ?? text.length, `expected ${what}, not ${kindOf(tokens[at])}`);
  };
  const name = (): string => {
    need(isName(), "a name");
    at += 1;
    return tokens[at - 1] ?? "";
  };
  /** Skips variables or arguments. */
  const skipParentheses = () => {
    for (let open = skip("(") ? 1 : 0; open > 0; ) {
      if (skip("(")) open += 1;
      else if (skip(")")) open -= 1;
      else {
        at += 1;
        need(at < tokens.length, "`)`");
      }
    }
  };
  const skipDirectives = (): boolean => {
    const before = at;
    while (skip("@")) {
      name();
      skipParentheses();
    }
    return at > before;
  };
  const selection = (): readonly Node[] => {
    const nodes: Node[] = [];
    need(skip("{"), "`{`");
    do nodes.push(node());
    while (!skip("}"));
    return nodes;
  };
  const node = (): Node => {
    let [field, alias, spread]: (string | undefined)[] = [];
    const isFragment = skip("...");
    if (!isFragment) {
      field = name();
      if (skip(":")) [alias, field] = [field, name()];
      skipParentheses();
    } else if (skip("on")) name();
    else if (isName()) spread = name();
    const isOptional = skipDirectives();
    const hasNodes = tokens[at] === "{" && spread === undefined;
    need(hasNodes || !isFragment || spread !== undefined, "`{`");
    return { field, alias, spread, isOptional, nodes: hasNodes ? selection() : [] };
  };
  const operations: { kind: string; nodes: readonly Node[] }[] = [];
  const fragments = new Map<string, readonly Node[]>();
  while (at < tokens.length) {
    const kind = tokens[at] === "{" ? "query" : (tokens[at] ?? "");
    need(/^(query|mutation|subscription|fragment)$/.test(kind), "a query, a mutation or a fragment");
    if (tokens[at] === kind) at += 1;
    const own = isName() ? name() : "";
    if (kind === "fragment") {
      need(skip("on"), "`on`");
      name();
    } else skipParentheses();
    skipDirectives();
    const nodes = selection();
    if (kind === "fragment") fragments.set(own, nodes);
    else operations.push({ kind, nodes });
  }
  return { operations, fragments };
}

function tokensOf(text: string) {
  const tokens: string[] = [];
  const starts: number[] = [];
  for (let start = 0; start < text.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null) {
      throw notADocument(
        text,
        start,
        text[start] === '"' ? "a string has no end" : "this character has no meaning here",
      );
    }
    if (match[1] !== undefined && tokens.push(match[1]) && starts.push(start) > MAX_TOKENS) {
      throw new ConfigurationError(`The document has more than ${MAX_TOKENS} tokens.`);
    }
  }
  return { tokens, starts };
}

/** A token without its text, which may be a value. */
function kindOf(token = ""): string {
  if (token === "") return "the end";
  if (/^"/.test(token)) return "a string";
  if (/^[-\d]/.test(token)) return "a number";
  return /^\w/.test(token) ? "a name" : `\`${token}\``;
}

function notADocument(text: string, at: number, problem: string): ConfigurationError {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const column = (lines.at(-1) ?? "").length + 1;
  return new ConfigurationError(
    `The document is not valid GraphQL at line ${lines.length}, column ${column}: ${problem}.`,
  );
}
