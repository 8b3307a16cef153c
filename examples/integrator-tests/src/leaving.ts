import type { Disconnection, RevokeOutcome, SocialConnect } from "@social-connect/sdk";
import { NotFoundError } from "@social-connect/sdk";
import type { Store } from "./store.ts";

export interface LeavingParts {
  readonly social: SocialConnect;
  readonly store: Store;
  readonly tenantKey: string;
}

/** What the farewell mail says about the consent at the provider. */
export const FAREWELLS: Readonly<Record<RevokeOutcome, string>> = {
  revoked: "Your consent has been given back.",
  "user-must-remove-app": "Please remove our app in the provider's settings as well: only you can do that.",
  unknown: "We could not find out whether your consent has ended. Please look at the provider's settings.",
};

/** Ends what a creator has linked. */
export class Leaving {
  readonly #parts: LeavingParts;

  constructor(parts: LeavingParts) {
    this.#parts = parts;
  }

  /** From here on nothing is read any more, and the copies here are gone. The receipts follow. */
  async leave(creatorId: string): Promise<void> {
    const { social, store, tenantKey } = this.#parts;
    const { account } = store.read(creatorId);
    if (account === null) return;
    const user = social.forSubject({ tenantKey, externalSubjectId: creatorId });
    const goodbye = await user.disconnect(account.connectionId).catch(nullWhereErased);
    store.update(creatorId, { account: null, leaving: goodbye === null ? "unheard" : goodbye.toJSON() });
  }

  /** Run later, by a job: waits for the receipt and gives the text of the mail; null when there is nothing to say. */
  async farewell(creatorId: string): Promise<string | null> {
    const { social, store } = this.#parts;
    const { leaving } = store.read(creatorId);
    if (leaving === null) return null;
    const outcome = leaving === "unheard" ? "unknown" : await social.resume(leaving).settled();
    store.update(creatorId, { leaving: null });
    return FAREWELLS[outcome];
  }
}

/**
 * An answer may be lost, and the SDK then asks again. That gives the same receipts for as long as anything is left of the
 * connection; once it is erased there is nothing to be found, which is what was wanted.
 */
function nullWhereErased(error: unknown): Disconnection | null {
  if (NotFoundError.is(error)) return null;
  throw error;
}
