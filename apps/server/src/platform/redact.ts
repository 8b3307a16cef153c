/** Names of values that no log line may carry, whatever holds them. Compared without case, `-` and `_`. */
const SECRET_NAME =
  /^(?:(?:proxy)?authorization|(?:set)?cookies?|.*(?:token|secret|secretseal(?:ed)?|password|passphrase|proof|verifier|credentials?)|(?:application|admin|api|encryption|read|write)keys?|(?:authorization|oauth)(?:code|state)|databaseurl|connectionstring)$/;
/** Key shapes, bearer values, and passwords inside addresses, wherever they stand in a text. */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:scadm_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[0-9a-f]{64}\b/gi, "[redacted]"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, "$1 [redacted]"],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi, "$1:[redacted]@"],
  [
    /([?&](?:code|state|access_token|refresh_token|client_secret|launchToken|code_verifier|id_token)=)[^&\s"']+/gi,
    "$1[redacted]",
  ],
];
const MAX_DEPTH = 8;

/** The text without anything that looks like a secret of this service. */
export function redactText(text: string): string {
  return SECRET_SHAPES.reduce((result, [shape, replacement]) => result.replace(shape, replacement), text);
}

/** A copy fit for a log: secrets by name or shape are gone, errors keep only what they say, depth is bounded. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[too deep]";
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  if (hasToJson(value)) return redactValue(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      isSecretName(name) && isFilled(entry) ? "[redacted]" : redactValue(entry, depth + 1),
    ]),
  );
}

/**
 * What a log may say of an error. Libraries hang requests, rows and variables on theirs; only the message, the stack,
 * a code and the cause are kept. A database error's message names tables and constraints, its `detail` holds values.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code, internal } = error as { code?: unknown; internal?: unknown };
  return {
    type: error.name,
    message: redactText(error.message),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof internal === "string" ? { internal: redactText(internal) } : {}),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/[-_]/g, "").toLowerCase());
}

/** `errorCode: null` or a missing token is no secret, and saying so helps whoever reads the log. */
function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
