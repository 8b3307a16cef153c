const HIDDEN = "[secret]";
/** Shorter strings are not secrets, and would redact ordinary words. */
const SHORTEST_SECRET = 16;
const SECRET_FIELDS = ["key", "launchToken", "resultProof"];

/** What one case saw on the wire, and the strings that its report must not contain. */
export class Recorder {
  readonly seen = new Set<string>();
  readonly #secrets = new Set<string>();

  see(observations: readonly string[]): void {
    for (const observation of observations) this.seen.add(observation);
  }

  /** Hides a secret, and the part of a key after its id. */
  secret(text: string): void {
    for (const part of [text, text.slice(text.indexOf(".") + 1)])
      if (part.length >= SHORTEST_SECRET) this.#secrets.add(part);
  }

  /** Hides the secrets of a response. */
  secretsOf(value: unknown): void {
    for (const [field, text] of Object.entries(Object(value)))
      if (SECRET_FIELDS.includes(field) && typeof text === "string") this.secret(text);
  }

  redact(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  }
}
