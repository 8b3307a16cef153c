import {
  API_KEY_OPERATIONS,
  type ApiKeyOperationName,
  CONSUMER_OPERATIONS,
  type ConsumerOperationName,
} from "@social-connect/contract";
import { type DocumentRules, type ReadDocument, readDocument } from "@social-connect/transport";
import { lazy } from "../util/lazy.ts";

export const OPERATIONS = Object.keys(CONSUMER_OPERATIONS) as ConsumerOperationName[];
/** The operations of the admin API that an API key may call. */
export const ADMIN_OPERATIONS = Object.keys(API_KEY_OPERATIONS) as ApiKeyOperationName[];

/** Name of an operation of either API that a key can call, e.g. `connections` or `setClientEnabled`. */
export type MockOperation = ConsumerOperationName | ApiKeyOperationName;

/** A test has a few dozen documents. */
const MAX_DOCUMENTS = 500;

/** Reads documents with their errors, cached by source text. */
export function documentReader(rulesOf: () => DocumentRules): (text: string) => ReadDocument {
  const rules = lazy(rulesOf);
  const known = new Map<string, ReadDocument>();
  return (text) => {
    const read = known.get(text) ?? readDocument(text, rules());
    if (known.size >= MAX_DOCUMENTS && !known.has(text)) known.clear();
    known.set(text, read);
    return read;
  };
}
