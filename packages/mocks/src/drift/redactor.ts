const HIDDEN = "[secret]";
/** So many characters of a secret in a row tell nobody anything; more are hidden. */
const HARMLESS = 8;

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
  return (text) => {
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
    return shown;
  };
}

function partsOf(text: string): string[] {
  const count = Math.max(0, text.length - HARMLESS + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + HARMLESS).toLowerCase());
}
