import {
  API_KEY_OPERATIONS,
  type ApiKeyOperationName,
  CONSUMER_OPERATIONS,
  type ConsumerOperationName,
} from "@social-connect/contract";
import { type DocumentRules, type ReadDocument, readDocument } from "@social-connect/transport";

export const OPERATIONS = Object.keys(CONSUMER_OPERATIONS) as ConsumerOperationName[];
/** The operations of the admin API that an API key may call. */
export const ADMIN_OPERATIONS = Object.keys(API_KEY_OPERATIONS) as ApiKeyOperationName[];

/** Name of an operation of either API that a key can call, e.g. `connections` or `setClientEnabled`. */
export type MockOperation = ConsumerOperationName | ApiKeyOperationName;

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
