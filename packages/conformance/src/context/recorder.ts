import type { Notes } from "../wire/call.ts";

const HIDDEN = "[secret]";
/** Shorter strings are not secrets, and would redact ordinary words. */
const SHORTEST_SECRET = 16;

/** What one case saw on the wire, and the strings that its report must not contain. */
export class Recorder implements Notes {
  readonly #seen = new Set<string>();
  readonly #secrets = new Set<string>();

  see(observations: readonly string[]): void {
    for (const observation of observations) this.#seen.add(observation);
  }

  secret(text: string): void {
    if (text.length >= SHORTEST_SECRET) this.#secrets.add(text);
  }

  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  saw(observation: string): boolean {
    return this.#seen.has(observation);
  }

  redact(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, HIDDEN);
    return shown;
  }
}
