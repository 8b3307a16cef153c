const HIDDEN = "[secret]";
/** So many characters of a secret in a row tell nobody anything; more are hidden. */
const HARMLESS = 8;
/** A report shows how two answers differ; what follows is cut. A secret that is cut with it is hidden like a whole one. */
const LONGEST_TEXT = 20_000;

/**
 * Hides secrets in whatever text holds them, or a part of them: the cases send keys that are nearly right, and an answer may
 * repeat what was sent, cut off anywhere.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const written = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret.replace(".", ":")).toString("base64"),
  ]);
  const parts = new Set(written.flatMap(partsOf));
  return (whole) => {
    const text = whole.slice(0, LONGEST_TEXT);
    let shown = "";
    for (let at = 0; at < text.length; ) {
      if (!parts.has(text.slice(at, at + HARMLESS).toLowerCase())) {
        shown += text[at];
        at += 1;
        continue;
      }
      while (at < text.length && parts.has(text.slice(at, at + HARMLESS).toLowerCase())) at += 1;
      at += HARMLESS - 1;
      shown += HIDDEN;
    }
    return whole.length > LONGEST_TEXT ? `${shown}…` : shown;
  };
}

function partsOf(text: string): string[] {
  const count = Math.max(0, text.length - HARMLESS + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + HARMLESS).toLowerCase());
}
