import { LRUCache } from "lru-cache";
import type { Caller } from "../../modules/applications/authenticate.ts";
import type { SentKey } from "../../modules/applications/checkKey.ts";
import type { Reader } from "../../modules/applications/readForKey.ts";
import { equalHashes } from "../../platform/hash.ts";

interface Known {
  readonly secretHash: Uint8Array;
  readonly applicationId: string;
}

/**
 * Keys that were valid in an earlier call, and their applications. Being listed allows nothing: it names the application
 * of a call before its key is checked. Only a caller that sends the same secret again is recognized.
 */
export class ReturningKeys {
  readonly #known = new LRUCache<string, Known>({ max: 2_000 });

  remember({ keyId, secretHash, application }: Caller): void {
    this.#known.set(keyId, { secretHash, applicationId: application.id });
  }

  forget(keyId: string): void {
    this.#known.delete(keyId);
  }

  /** The ID of the key's application; null for a key that was not valid before. */
  applicationOf({ keyId, secretHash }: SentKey): string | null {
    const known = this.#known.get(keyId);
    return known !== undefined && equalHashes(known.secretHash, secretHash) ? known.applicationId : null;
  }
}

/** A returning key, which the statement that reads for it checks. */
export class ReturningReader implements Reader {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly application: { readonly id: string };
  #isValid = false;
  #refusal: unknown = null;

  constructor({ keyId, secretHash }: SentKey, applicationId: string) {
    this.keyId = keyId;
    this.secretHash = secretHash;
    this.application = { id: applicationId };
  }

  /** Whether a read found the key valid. */
  get isValid(): boolean {
    return this.#isValid;
  }

  readonly onChecked = (refusal: unknown): void => {
    this.#isValid = refusal === null;
    this.#refusal = refusal;
  };

  /**
   * Throws why a read refused the key. A call that ended before its read, for example because of an invalid argument, has
   * its key checked now, because that error comes first.
   */
  confirm(authenticate: () => Promise<unknown>): Promise<unknown> | undefined {
    if (this.#isValid) return undefined;
    return this.#refusal === null ? authenticate() : Promise.reject(this.#refusal);
  }
}
