import type { Capability, ContentItem, SavedPoller, SocialProvider } from "@social-connect/sdk";

/** What the service asks every creator for. */
export const CAPABILITIES: readonly Capability[] = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];

/** A creator's linked account as this application keeps it. */
export interface Account {
  readonly provider: SocialProvider;
  readonly connectionId: string;
  readonly name: string;
  /** `consent-needed`: the person has to consent once more before anything can be read. */
  readonly state: "linked" | "consent-needed";
  readonly posts: readonly ContentItem[];
  /** Whether `posts` contains everything that was published in the last weeks. */
  readonly allPosts: boolean;
  /** Null, or when to retry: ISO 8601. */
  readonly tryAgainAt: string | null;
}

/** The database record of one creator. It contains no secrets. */
export interface CreatorRow {
  readonly creatorId: string;
  /** The attempt that this creator's browser is away for. */
  readonly attempt: SavedPoller<"connect-result"> | null;
  readonly account: Account | null;
  /** A disconnect whose receipts are not read yet; `unheard` where all was over before the answer arrived. */
  readonly leaving: SavedPoller<"disconnect"> | "unheard" | null;
}

/** In place of a database: rows go in and out as JSON, as they would there. */
export class Store {
  readonly #rows = new Map<string, string>();

  read(creatorId: string): CreatorRow {
    const text = this.#rows.get(creatorId);
    return text === undefined ? { creatorId, attempt: null, account: null, leaving: null } : JSON.parse(text);
  }

  update(creatorId: string, change: Partial<Omit<CreatorRow, "creatorId">>): void {
    this.#rows.set(creatorId, JSON.stringify({ ...this.read(creatorId), ...change }));
  }

  clear(): void {
    this.#rows.clear();
  }
}
