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
  const tokens = tokensOf(text);
  let at = 0;
  const isName = () => /^[_A-Za-z]/.test(tokens[at] ?? "");
  const skip = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const need = (isThere: boolean) => {
    if (!isThere) throw notADocument();
  };
  const name = (): string => {
    need(isName());
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
        need(at < tokens.length);
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
    need(skip("{"));
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
    need(hasNodes || !isFragment || spread !== undefined);
    return { field, alias, spread, isOptional, nodes: hasNodes ? selection() : [] };
  };
  const operations: { kind: string; nodes: readonly Node[] }[] = [];
  const fragments = new Map<string, readonly Node[]>();
  while (at < tokens.length) {
    const kind = tokens[at] === "{" ? "query" : name();
    need(/^(query|mutation|subscription|fragment)$/.test(kind));
    const own = isName() ? name() : "";
    if (kind === "fragment") {
      need(skip("on"));
      name();
    } else skipParentheses();
    skipDirectives();
    const nodes = selection();
    if (kind === "fragment") fragments.set(own, nodes);
    else operations.push({ kind, nodes });
  }
  return { operations, fragments };
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) throw notADocument();
    if (match[1] !== undefined && tokens.push(match[1]) > MAX_TOKENS) {
      throw new ConfigurationError(`The document has more than ${MAX_TOKENS} tokens.`);
    }
  }
  return tokens;
}

function notADocument(): ConfigurationError {
  return new ConfigurationError("The document is not valid GraphQL.");
}
