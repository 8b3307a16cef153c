import type { SocialProvider } from "@social-connect/contract";
import type { ScriptFault } from "./faults.ts";
import type { ProviderFixtures } from "./providerFixtures.ts";

/**
 * The behavior of a scripted account, selected by the account's name at consent. Content calls read posts; profile calls
 * succeed unless the script has `onProfileCall`, so that a connection can be made.
 */
export interface AccountScript {
  readonly summary: string;
  /** The providers that have it; absent for all. */
  readonly providers?: readonly SocialProvider[];
  /** Overrides what the user chooses on the consent page. */
  readonly consent?: "deny" | "provider-error" | "fewer-scopes" | "no-scopes";
  readonly exchange?: "refused" | "unavailable";
  /** Token lifetimes in place of the provider's usual ones. */
  readonly accessTokenSeconds?: number;
  readonly refreshTokenSeconds?: number;
  /** `rotates`: each refresh replaces the refresh token, and a reused one ends the grant. */
  readonly refresh?: "refused" | "rotates";
  /** The fault of every refresh. */
  readonly onRefresh?: ScriptFault;
  /** The fault of the n-th content call of a grant, counted from 1; null for success. */
  readonly onContentCall?: (callNumber: number) => ScriptFault | null;
  readonly onProfileCall?: (callNumber: number) => ScriptFault | null;
  /** The number of failures before a revocation succeeds, or that every revocation is rejected. */
  readonly revoke?: { readonly failuresFirst: number } | "rejected";
  /** The newest post's visibility after its details have been read. */
  readonly newestPost?: "deleted" | "private";
  readonly postCount?: number;
  readonly postGapHours?: number;
  /** All posts are published within a short time, this many in each second. */
  readonly postsPerSecond?: number;
  /** The provider fails for the insights of the newest post. */
  readonly brokenInsights?: boolean;
  /** The provider refuses to show the newest post, and shows the others. */
  readonly newestPostRefused?: boolean;
  /** The provider shows no post by its id, for one of several causes, and lists all of them. */
  readonly hidesPostsById?: boolean;
  /** The provider refuses one optional field of the profile and one of posts: `refusedFields` of its fixtures. */
  readonly refusesFields?: boolean;
  /** The provider does not find the list of posts after its first page: in one call, or in all. */
  readonly listNotFound?: "once" | "always";
  /** The provider's limit is reached when the numbers of so many posts of a page were read, once. */
  readonly limitAfterPosts?: number;
  /**
   * The list's cursors: the third page's leads back to the second page, the second page's is rejected once, or each page after
   * the first names itself as the next one.
   */
  readonly cursors?: "returning" | "rejected-once" | "stuck";
  /** The first post is listed twice, and each page repeats the last post of the page before. */
  readonly repeatsPosts?: boolean;
  /** The responses have the ordinary values in other forms: numbers as text, offsets in dates, links without a scheme. */
  readonly otherForms?: boolean;
  /** Forms of its posts in place of the provider's usual ones. */
  readonly forms?: ProviderFixtures["forms"];
  /** A link checker requests the callback, with HEAD and as a prefetch, before the person returns. */
  readonly visitedAhead?: boolean;
  /** The largest page of the list of posts that the provider returns. */
  readonly largestPage?: number;
  readonly likesHidden?: boolean;
  readonly commentsOff?: boolean;
  readonly sharesMissing?: boolean;
  readonly metricsMissing?: boolean;
  readonly texts?: "unicode" | "hostile";
  readonly hasChannel?: boolean;
  /** Responses of provider C that are documented in one form and were captured in another. */
  readonly responseForm?: "flat-token" | "array-profile";
  /** Never on a list of testers. */
  readonly notATester?: boolean;
  /** Accounts with the same value belong to one user at the provider. */
  readonly person?: string;
}
