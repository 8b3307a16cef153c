const HIDDEN = "[secret]";
/** Fewer consecutive characters of a secret are not hidden. */
const MIN_LENGTH = 8;
/** Longer strings are truncated; parts of a secret are hidden too. */
const MAX_LENGTH = 20_000;

/**
 * Hides secrets and parts of them: cases send nearly correct keys, and a response may repeat any part of a request.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const written = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret.replace(".", ":")).toString("base64"),
  ]);
  const parts = new Set(written.flatMap(partsOf));
  return (whole) => {
    const text = whole.slice(0, MAX_LENGTH);
    let shown = "";
    for (let at = 0; at < text.length; ) {
      if (!parts.has(text.slice(at, at + MIN_LENGTH).toLowerCase())) {
        shown += text[at];
        at += 1;
        continue;
      }
      while (at < text.length && parts.has(text.slice(at, at + MIN_LENGTH).toLowerCase())) at += 1;
      at += MIN_LENGTH - 1;
      shown += HIDDEN;
    }
    return whole.length > MAX_LENGTH ? `${shown}…` : shown;
  };
}

function partsOf(text: string): string[] {
  const count = Math.max(0, text.length - MIN_LENGTH + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + MIN_LENGTH).toLowerCase());
}
