const SECRET_NAMES: ReadonlySet<string> = new Set(["resultProof", "launchToken", "authorization", "key", "secret"]);
/** A key, a token or a proof, under whatever name it was sent. */
const SECRET = /(?:(?:scadm_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.)?[0-9a-f]{64}/gi;
export const REDACTED = "[redacted]";
/** Texts are cut for the log; no test looks for more of one. */
const LONGEST_TEXT = 2_048;
/** Longer than a key: one that the end of the text cuts in two stands in this part, which is dropped. */
const CUT_MARGIN = 128;

/** A copy of a request's arguments for the log: no proof, token or key is in it. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 8) return "…";
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, SECRET_NAMES.has(name) ? REDACTED : redact(entry, depth + 1)]),
  );
}

function redactText(text: string): string {
  if (text.length <= LONGEST_TEXT) return text.replaceAll(SECRET, REDACTED);
  const shown = text.slice(0, LONGEST_TEXT + CUT_MARGIN).replaceAll(SECRET, REDACTED);
  return `${shown.slice(0, -CUT_MARGIN)}…`;
}
