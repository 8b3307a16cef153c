import { type Disconnection, NotFoundError, type RevokeOutcome, type SocialConnect } from "@social-connect/sdk";
import type { Store } from "./store.ts";

export interface LeavingParts {
  readonly social: SocialConnect;
  readonly store: Store;
  readonly tenantKey: string;
}

/** What the final email says about the consent at the provider. */
export const REVOKE_MESSAGES: Readonly<Record<RevokeOutcome, string>> = {
  revoked: "Your consent has been revoked.",
  "user-must-remove-app": "Please remove our app in the provider's settings as well: only you can do that.",
  unknown: "We could not find out whether your consent has ended. Please check the provider's settings.",
};

/** Ends what a creator has linked. */
export class Leaving {
  readonly #parts: LeavingParts;

  constructor(parts: LeavingParts) {
    this.#parts = parts;
  }

  /** From now on nothing is read, and the copies here are deleted. The receipts follow. */
  async leave(creatorId: string): Promise<void> {
    const { social, store, tenantKey } = this.#parts;
    const { account } = store.read(creatorId);
    if (account === null) return;
    const user = social.forSubject({ tenantKey, externalSubjectId: creatorId });
    const disconnection = await user.disconnect(account.connectionId).catch(nullWhereErased);
    store.update(creatorId, { account: null, leaving: disconnection === null ? "unheard" : disconnection.toJSON() });
  }

  /** Run later, by a job: waits for the receipt and gives the text of the mail; null when there is nothing to say. */
  async revokeMessage(creatorId: string): Promise<string | null> {
    const { social, store } = this.#parts;
    const { leaving } = store.read(creatorId);
    if (leaving === null) return null;
    const outcome = leaving === "unheard" ? "unknown" : await social.resume(leaving).settled();
    store.update(creatorId, { leaving: null });
    return REVOKE_MESSAGES[outcome];
  }
}

/**
 * If a response is lost, the SDK repeats the call and gets the same receipts until the connection is erased. NOT_FOUND
 * then means that the disconnect succeeded.
 */
function nullWhereErased(error: unknown): Disconnection | null {
  if (NotFoundError.is(error)) return null;
  throw error;
}
