import { type DocumentRules, type ReadDocument, readDocument } from "@social-connect/transport";

/** A test has a few dozen documents. */
const MAX_DOCUMENTS = 500;

/** Documents with their errors, cached by source text. */
export class Documents {
  readonly #rules: DocumentRules;
  readonly #known = new Map<string, ReadDocument>();

  constructor(rules: DocumentRules) {
    this.#rules = rules;
  }

  read(text: string): ReadDocument {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const read = readDocument(text, this.#rules);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_DOCUMENTS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, read);
    return read;
  }
}
