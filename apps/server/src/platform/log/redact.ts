/** Names of values that must never be logged. Compared without case, `-` and `_`. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    ["authorization", "proxyauthorization", "cookie", "cookies", "setcookie", "setcookies"],
    ["application", "admin", "api", "encryption", "read", "write"].flatMap((kind) => [`${kind}key`, `${kind}keys`]),
    ["authorizationcode", "oauthcode", "authorizationstate", "oauthstate", "databaseurl", "connectionstring"],
  ].flat(),
);
const SECRET_NAME_ENDINGS = [
  ...["token", "secret", "secretseal", "secretsealed", "password", "passphrase"],
  ...["proof", "verifier", "credential", "credentials"],
];
/**
 * Keys, tokens and proofs, bearer values, passwords in URLs, and OAuth parameters, anywhere in a string. Each pattern
 * takes linear time: its repetitions are bounded, or cannot start inside themselves.
 */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(?:(?:scadm_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.)?[0-9a-f]{64,}/gi, "[redacted]"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, "$1 [redacted]"],
  [/(:\/\/[^\s:@/]*):[^\s@/]+@/g, "$1:[redacted]@"],
  [
    /([?&](?:code|state|access_token|refresh_token|client_secret|launchToken|code_verifier|id_token)=)[^&\s"']+/gi,
    "$1[redacted]",
  ],
];
/** A log line describes an event and does not repeat what an issuer, a provider or a browser sent. */
const MAX_TEXT = 4_096;
/**
 * Longer than any key or token: a secret that is truncated at the end of the string is in this part, which is dropped.
 */
const CUT_MARGIN = 1_024;
const MAX_NAME = 128;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 8;
/** For one logged value. */
const MAX_CHARACTERS = 32_768;
const MAX_VALUES = 1_000;

/** The string without anything that resembles a secret of this service, at most 4,096 characters. */
export function redactText(text: string): string {
  if (text.length <= MAX_TEXT + CUT_MARGIN) return redactShapes(text);
  const shown = redactShapes(text.slice(0, MAX_TEXT + CUT_MARGIN)).slice(0, -CUT_MARGIN);
  return `${shown}… [${text.length} characters]`;
}

/**
 * A copy for the log: secrets are removed by name or pattern, errors are reduced to their message, depth and size are
 * limited.
 */
export function redactValue(value: unknown): unknown {
  return redactWithin({ characters: MAX_CHARACTERS, values: MAX_VALUES }, value, 0);
}

/** The remaining budget of one value. */
interface Budget {
  characters: number;
  values: number;
}

function redactWithin(budget: Budget, value: unknown, depth: number): unknown {
  if (typeof value === "string") return spend(budget, value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[too deep]";
  if (budget.values <= 0 || budget.characters <= 0) return "[too large]";
  budget.values -= 1;
  if (value instanceof Error) return describeError(budget, value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((entry) => redactWithin(budget, entry, depth + 1));
    return value.length > MAX_ENTRIES ? [...shown, `[${value.length} entries]`] : shown;
  }
  if (hasToJson(value)) return redactWithin(budget, value.toJSON(), depth + 1);
  const names = Object.keys(value);
  const shown = names.slice(0, MAX_ENTRIES).map((name) => {
    const entry = (value as Record<string, unknown>)[name];
    const isHidden = isSecretName(name) && isFilled(entry);
    return [spend(budget, name.slice(0, MAX_NAME)), isHidden ? "[redacted]" : redactWithin(budget, entry, depth + 1)];
  });
  return Object.fromEntries(names.length > MAX_ENTRIES ? [...shown, ["…", `[${names.length} entries]`]] : shown);
}

/**
 * The loggable part of an error. Libraries attach requests, rows and variables to errors; only the message, the stack,
 * a code and the cause are logged. A database error's message has tables and constraints, its `detail` has values.
 */
function describeError(budget: Budget, error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    type: spend(budget, String(error.name)),
    message: spend(budget, String(error.message)),
    ...(typeof code === "string" ? { code: spend(budget, code) } : {}),
    ...(typeof error.stack === "string" ? { stack: spend(budget, error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: redactWithin(budget, error.cause, depth + 1) }),
  };
}

function spend(budget: Budget, text: string): string {
  if (budget.characters <= 0 && text !== "") return "[too large]";
  const shown = redactText(text);
  budget.characters -= shown.length;
  return shown;
}

function redactShapes(text: string): string {
  return SECRET_SHAPES.reduce((result, [shape, replacement]) => result.replace(shape, replacement), text);
}

/** Checks only the end of a name that is longer than any that this service uses. */
function isSecretName(name: string): boolean {
  const plain = name.slice(-MAX_NAME).replaceAll(/[-_]/g, "").toLowerCase();
  return SECRET_NAMES.has(plain) || SECRET_NAME_ENDINGS.some((ending) => plain.endsWith(ending));
}

/** `errorCode: null` or a missing token is not secret and helps the reader. */
function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
