const SECRET_NAMES: ReadonlySet<string> = new Set(["resultProof", "launchToken", "authorization", "key", "secret"]);
/** A key, a token or a proof, under any name. */
const SECRET = /(?:(?:scadm_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.)?[0-9a-f]{64}/gi;
export const REDACTED = "[redacted]";
/** Longer strings are truncated in the log. */
const MAX_LENGTH = 2_048;
/** Longer than a key: this part may end within a key, so it is removed. */
const MARGIN = 128;

/** A copy of a request's arguments without proofs, tokens and keys. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 8) return "…";
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, SECRET_NAMES.has(name) ? REDACTED : redact(entry, depth + 1)]),
  );
}

/** A text without keys, tokens and proofs. */
export function redactText(text: string, { isShortened = true } = {}): string {
  if (text.length <= MAX_LENGTH || !isShortened) return text.replaceAll(SECRET, REDACTED);
  const shown = text.slice(0, MAX_LENGTH + MARGIN).replaceAll(SECRET, REDACTED);
  return `${shown.slice(0, -MARGIN)}…`;
}
