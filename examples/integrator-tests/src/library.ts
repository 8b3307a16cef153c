import {
  AuthorizationSuspendedError,
  type ContentItem,
  type PublishedWindow,
  ReconnectRequiredError,
  type SocialConnect,
  type SyncJob,
} from "@social-connect/sdk";
import type { Account, Store } from "./store.ts";

const WEEKS_MS = 28 * 24 * 3_600_000;

export interface LibraryParts {
  readonly social: SocialConnect;
  readonly store: Store;
  readonly tenantKey: string;
  readonly now: () => number;
}

/**
 * - `all`, `some`: posts were read, and these are all of the last weeks' posts or some of them;
 * - `later`: the provider returns nothing now, and the known posts stay;
 * - `consent-needed`: the creator must consent again.
 */
export type Import = "all" | "some" | "later" | "consent-needed";

/** Keeps a copy of the posts that a creator published in the last four weeks. */
export class Library {
  readonly #parts: LibraryParts;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  /** The newest posts, right after an account was linked: one scan, so that there is something to show. */
  importNewest(creatorId: string): Promise<Import> {
    return this.#import(creatorId, async (connectionId, window) => {
      const job = await this.#subject(creatorId).refresh(connectionId, { window }).wait();
      return { job, complete: job.completeForWindow === true };
    });
  }

  /** All of them, however many scans that takes: what runs at night. */
  importAll(creatorId: string): Promise<Import> {
    return this.#import(creatorId, async (connectionId, window) => {
      const { last, complete } = await this.#subject(creatorId).refresh(connectionId, { window }).scanAll();
      return { job: last, complete };
    });
  }

  async #import(
    creatorId: string,
    scan: (connectionId: string, window: PublishedWindow) => Promise<{ job: SyncJob; complete: boolean }>,
  ): Promise<Import> {
    const { account } = this.#parts.store.read(creatorId);
    if (account === null) throw new Error(`${creatorId} has linked no account`);
    const nowMs = this.#parts.now();
    const window = { publishedAfter: new Date(nowMs - WEEKS_MS), publishedBefore: new Date(nowMs) };
    try {
      const { job, complete } = await scan(account.connectionId, window);
      if (job.errorCode === "RECONNECT_REQUIRED") return this.#askAgain(creatorId, account);
      if (job.status !== "SUCCEEDED") return await this.#waitFor(creatorId, account);
      const posts: ContentItem[] = [];
      for await (const post of this.#subject(creatorId).content(account.connectionId, window)) posts.push(post);
      this.#keep(creatorId, { ...account, posts, allPosts: complete, tryAgainAt: null });
      return complete ? "all" : "some";
    } catch (error) {
      if (ReconnectRequiredError.is(error)) return this.#askAgain(creatorId, account);
      if (AuthorizationSuspendedError.is(error)) return this.#waitFor(creatorId, account);
      throw error;
    }
  }

  #askAgain(creatorId: string, account: Account): Import {
    this.#keep(creatorId, { ...account, state: "consent-needed", allPosts: false });
    return "consent-needed";
  }

  /** An hour, or as long as the service means to wait itself. */
  async #waitFor(creatorId: string, account: Account): Promise<Import> {
    const { now } = this.#parts;
    let at: string | null = null;
    for await (const { id, nextRetryAt } of this.#subject(creatorId).connections()) {
      if (id === account.connectionId) at = nextRetryAt;
    }
    const tryAgainAt = at ?? new Date(now() + 3_600_000).toISOString();
    this.#keep(creatorId, { ...account, allPosts: false, tryAgainAt });
    return "later";
  }

  #keep(creatorId: string, account: Account): void {
    this.#parts.store.update(creatorId, { account });
  }

  #subject(creatorId: string) {
    return this.#parts.social.forSubject({ tenantKey: this.#parts.tenantKey, externalSubjectId: creatorId });
  }
}
