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

/** Adds the strings of the response: a failed response can contain a session whose token the error repeats. */
export function withResponseValues({ secrets, values }: Carried, value: unknown): Carried {
  const carried = { secrets: [...secrets], values: [...values] };
  const names = typeof value === "object" && value !== null ? Object.keys(value).slice(0, MAX_FIELDS) : [];
  for (const name of new Set([...SECRET_FIELDS, ...names])) {
    const field: unknown = Object(value)[name];
    // Shorter parts of a value cannot identify it, so they are not searched.
    if (typeof field === "string") collectStrings(field.slice(0, MAX_SEARCHED_LENGTH), name, carried);
  }
  return carried;
}

/** More fields than any operation returns; a malicious response may have a million. */
const MAX_FIELDS = 40;

function collectStrings(value: unknown, name: string, into: { secrets: string[]; values: string[] }): void {
  if (typeof value === "string") {
    if (SECRET_FIELDS.includes(name)) into.secrets.push(value);
    else if (isIdentifying(value)) into.values.push(value);
  } else if (typeof value === "object" && value !== null) {
    for (const [each, field] of Object.entries(value)) collectStrings(field, each, into);
  }
}

const SECRET_FIELDS: readonly string[] = ["resultProof", "launchToken"];

/** Enum values such as PROVIDER_A do not identify a user, and messages need them. */
function isIdentifying(value: string): boolean {
  return value !== "" && !/^[A-Z][A-Z_]+$/.test(value);
}

const MAX_SEARCHED_LENGTH = 4_000;
const MAX_MESSAGE_LENGTH = 500;
const REDACTED = "[redacted]";
const OMITTED = "The service rejected this call. Its message is omitted because it repeats parts of the request.";

/**
 * A message of the server that is safe to log: values of the request and token-like strings are removed. Servers,
 * proxies and middleware do put parts of requests into their errors.
 */
export function cleanMessage(message: string, { secrets, values }: Carried): string {
  let text = message.slice(0, MAX_SEARCHED_LENGTH);
  // Longest first: a short value can be part of a longer one.
  for (const value of [...secrets, ...values].sort((one, other) => other.length - one.length)) {
    for (const form of formsOf(value)) if (contains(text, form)) text = withoutForm(text, form);
  }
  text = text.replace(/[A-Za-z0-9_-]{40,}/g, REDACTED);
  // Line breaks and escape sequences would forge log lines.
  text = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (text.length > MAX_MESSAGE_LENGTH) text = `${text.slice(0, MAX_MESSAGE_LENGTH)}…`;
  const written = readingsOf(text).some(
    (reading, index) =>
      // The first reading is the text itself, in which short values remain as parts of words.
      (index > 0 && [...secrets, ...values].some((one) => one.length > 3 && contains(reading, one))) ||
      sharesPiece(reading, values, SHORTEST_PIECE_OF_VALUE) ||
      sharesPiece(lettersOf(reading), secrets.map(lettersOf), SHORTEST_PIECE_OF_SECRET),
  );
  return written ? OMITTED : text;
}

/** Shorter matches occur by chance. Servers truncate the values that they repeat. */
const SHORTEST_PIECE_OF_SECRET = 10;
const SHORTEST_PIECE_OF_VALUE = 16;

/** The text after decoding the usual encodings: escapes, entities, base64. */
function readingsOf(text: string): readonly string[] {
  const once = unescaped(text);
  const decoded = [...text.matchAll(/[A-Za-z0-9+/_-]{8,}/g)].map(([run]) => fromBase64(run)).join(" ");
  return [text, once, unescaped(once), decoded];
}

function unescaped(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    })
    .replace(/&(amp|lt|gt|quot|apos);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    .replace(NUMBERED, (whole: string, ...[a, b, c, d, decimal]: readonly (string | undefined)[]) => {
      const hex = a ?? b ?? c ?? d;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\\(.)/g, "$1");
}

/** Characters written as numeric escapes. */
const NUMBERED = /\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function fromBase64(run: string): string {
  try {
    const bytes = atob(
      run
        .replace(/-/g, "+")
        .replace(/_/g, "/")
        .slice(0, run.length - (run.length % 4 === 1 ? 1 : 0)),
    );
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return "";
  }
}

/** A code of the server; undefined if it is malformed or repeats a part of the request. */
export function cleanName(name: unknown, form: RegExp, carried: Carried): string | undefined {
  const { secrets, values } = carried;
  const text = cleanId(name, form, carried);
  if (text === undefined) return undefined;
  const hasPiece =
    sharesPiece(lettersOf(text), secrets.map(lettersOf), SHORTEST_PIECE_OF_SECRET) ||
    values.some((one) => one.length > 5 && contains(text, one)) ||
    sharesPiece(text, values, SHORTEST_PIECE_OF_VALUE);
  return hasPiece ? undefined : text;
}

/** The same for an id. Ids created at the same time share a prefix, so a partial match proves nothing. */
export function cleanId(id: unknown, form: RegExp, { secrets, values }: Carried): string | undefined {
  if (typeof id !== "string" || !form.test(id)) return undefined;
  const letters = lettersOf(id);
  const isCarried =
    [...secrets, ...values].some((one) => one.toLowerCase() === id.toLowerCase()) ||
    (letters.length >= SHORTEST_PIECE_OF_SECRET && secrets.some((one) => contains(lettersOf(one), letters)));
  return isCarried ? undefined : id;
}

/** The common encodings of a value in a text. */
function formsOf(value: string): ReadonlySet<string> {
  return new Set([value, JSON.stringify(value).slice(1, -1), percentEncoded(value)]);
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // An unpaired surrogate has no such form.
  }
}

/** Short values are removed as whole words only: an id like `a` would otherwise remove most of a message. */
function withoutForm(text: string, form: string): string {
  const pattern = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const whole = form.length < 4 ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;
  return text.replace(new RegExp(whole, "giu"), REDACTED);
}

function contains(text: string, value: string): boolean {
  return text.toLowerCase().includes(value.toLowerCase());
}

/** Removes separators, which do not hide a secret. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the text and a value share a substring of this length. Runs in linear time. */
function sharesPiece(text: string, values: readonly string[], length: number): boolean {
  const pieces = new Set(piecesOf(text, length));
  return values.some((value) => {
    for (const piece of piecesOf(value, length)) if (pieces.has(piece)) return true;
    return false;
  });
}

function* piecesOf(text: string, length: number): Generator<string> {
  const lower = text.toLowerCase();
  for (let at = 0; at + length <= lower.length; at += 1) yield lower.slice(at, at + length);
}
