/** The values of a request, which must not appear in an error that a caller logs. */
export interface Carried {
  /** The key and each half of it, a proof, a launch token. */
  readonly secrets: readonly string[];
  /** The strings among the request's variables. */
  readonly values: readonly string[];
}

export function carriedBy(body: string, key: string | undefined): Carried {
  const request: { readonly query?: string; readonly variables?: unknown } = JSON.parse(body);
  const carried = { secrets: key === undefined ? [] : [key, ...key.split(".")], values: [] };
  collectStrings(request.variables, "", carried);
  // A caller's own document can contain arguments.
  for (const [, block = "", text = ""] of (request.query ?? "").matchAll(STRING))
    collectStrings(block || text, "", carried);
  return carried;
}

/** Strings in a document. The end is optional, so that a search does not begin again within an unclosed string. */
const STRING = /"""((?:\\"""|\\(?!""")|[^"\\]|"(?!""))*)(?:""")?|"((?:[^"\\\n]|\\.)*)"?/g;

/** Adds the secrets in the value of an operation: a failed response can contain a session whose token the error repeats. */
export function withSecretsOf(value: unknown, { secrets, values }: Carried): Carried {
  const answered = SECRET_FIELDS.map((name): unknown => Object(value)[name]);
  const texts = answered.flatMap((field) => (typeof field === "string" ? [field.slice(0, MAX_SEARCHED_LENGTH)] : []));
  return { secrets: [...secrets, ...texts], values };
}

function collectStrings(value: unknown, name: string, into: { secrets: string[]; values: string[] }): void {
  if (typeof value === "string") {
    if (SECRET_FIELDS.includes(name)) into.secrets.push(value);
    // Enum values such as PROVIDER_A do not identify a user, and messages need them.
    else if (!/^[A-Z][A-Z_]+$/.test(value)) into.values.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const [each, field] of Object.entries(value)) collectStrings(field, each, into);
  }
}

const SECRET_FIELDS: readonly string[] = ["resultProof", "launchToken"];

const MAX_SEARCHED_LENGTH = 4_000;
const MAX_MESSAGE_LENGTH = 500;
const OMITTED = "The service rejected this call. Its message is omitted because it repeats parts of the request.";

/**
 * A message of the service in one line, without token-like strings. Replaced if it repeats a part of the request, which the
 * service never does, but proxies and middleware do.
 */
export function cleanMessage(message: string, carried: Carried): string {
  // Line breaks and escape sequences would forge log lines.
  const line = message.slice(0, MAX_SEARCHED_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  if (repeats(line, carried)) return OMITTED;
  const text = line.replace(/[A-Za-z0-9_-]{40,}/g, "[redacted]").trim();
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}

/** A code of the server; undefined if it is malformed or repeats a part of the request. */
export function cleanName(name: unknown, form: RegExp, carried: Carried): string | undefined {
  return typeof name === "string" && form.test(name) && !repeats(name, carried) ? name : undefined;
}

/** The same for an id. Ids created at the same time share a prefix, so a partial match proves nothing. */
export function cleanId(id: unknown, form: RegExp, { secrets, values }: Carried): string | undefined {
  if (typeof id !== "string" || !form.test(id)) return undefined;
  const letters = lettersOf(id);
  return [...secrets, ...values].some((one) => lettersOf(one).includes(letters)) ? undefined : id;
}

/** Shorter matches occur by chance. Servers truncate the values that they repeat. */
const SHORTEST_VALUE = 4;
const SHORTEST_PIECE_OF_SECRET = 10;
const SHORTEST_PIECE_OF_VALUE = 16;

/** Whether a text contains a value, also as JSON or in a URL, or a piece of one. Separators do not hide a secret. */
function repeats(text: string, { secrets, values }: Carried): boolean {
  const lower = text.toLowerCase();
  const forms = [...secrets, ...values].flatMap(formsOf);
  return (
    forms.some((form) => form.length >= SHORTEST_VALUE && lower.includes(form)) ||
    sharesPiece(lower, forms, SHORTEST_PIECE_OF_VALUE) ||
    sharesPiece(lettersOf(text), secrets.map(lettersOf), SHORTEST_PIECE_OF_SECRET)
  );
}

function formsOf(text: string): readonly string[] {
  const value = text.toLowerCase();
  try {
    return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value).toLowerCase()];
  } catch {
    return [value]; // An unpaired surrogate has no percent-encoding.
  }
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** Whether the text and a value share a substring of this length. Runs in linear time. */
function sharesPiece(text: string, values: readonly string[], length: number): boolean {
  const pieces = new Set<string>();
  for (let at = 0; at + length <= text.length; at += 1) pieces.add(text.slice(at, at + length));
  return values.some((value) => {
    for (let at = 0; at + length <= value.length; at += 1) if (pieces.has(value.slice(at, at + length))) return true;
    return false;
  });
}
