import type { ScanIncompleteReason } from "@social-connect/contract";
import type { ContentObservation } from "@social-connect/domain";
import { takeItems } from "@social-connect/domain";
import type { Visibility } from "../state/providerState.ts";
import type { ListingCursor } from "../state/state.ts";
import type { Account } from "./accounts.ts";
import type { MetricsMode } from "./observations.ts";
import { observe, observeDeleted } from "./observations.ts";
import type { Post } from "./posts.ts";
import { PROVIDERS } from "./providers.ts";

export interface ListRequest {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  readonly cursor: ListingCursor | null;
  /** The remaining number of posts, as `takeItems` counts them. */
  readonly maxItems: number;
  readonly mode: MetricsMode;
}

export interface ListPage {
  readonly items: readonly ContentObservation[];
  /** The next page; null after the last page of the window, or at a limit of the provider. */
  readonly nextCursor: ListingCursor | null;
  /** Set with a null `nextCursor` when the provider ended the listing before the window was covered. */
  readonly incompleteReason: Extract<ScanIncompleteReason, "UPSTREAM_WINDOW_LIMIT"> | null;
}

/** One page of the provider's listing, filtered by the window. */
export function listPage(
  account: Account,
  posts: readonly Post[],
  visibilityOf: (post: Post) => Visibility,
  request: ListRequest,
  now: Date,
): ListPage {
  const { pageSize, pagesByTime, maxPosts, maxOldPages } = PROVIDERS[account.provider].listing;
  const from = request.cursor ?? { at: pagesByTime ? request.publishedBefore.getTime() : 0, lastId: null, walked: 0 };
  const listed = posts.filter((post) => isListed(account, visibilityOf(post)));
  const start = pagesByTime ? indexBefore(listed, from.at) : from.at;
  const end = Math.min(listed.length, maxPosts ?? listed.length);
  const page = listed.slice(start, Math.min(start + pageSize, end));

  const wanted = afterLast(page, from.lastId).filter((post) => isInside(post.publishedAt, request));
  const seen = wanted.map((post) =>
    visibilityOf(post) === "deleted"
      ? observeDeleted(account, post, request.mode)
      : observe(account, post, visibilityOf(post), request.mode, now),
  );
  const items = takeItems(seen, request.maxItems);
  if (seen.length > items.length) {
    const lastId = items.at(-1)?.providerContentId ?? from.lastId;
    return { items, nextCursor: { ...from, lastId }, incompleteReason: null };
  }
  const allOlder = page.length > 0 && page.every((post) => post.publishedAt < request.publishedAfter);
  const isLastPage = start + page.length >= end;
  if (isLastPage) {
    const cutOff = listed.length > end && !allOlder;
    return { items, nextCursor: null, incompleteReason: cutOff ? "UPSTREAM_WINDOW_LIMIT" : null };
  }
  if (allOlder && maxOldPages === null) return { items, nextCursor: null, incompleteReason: null };
  const walked = from.walked + (allOlder ? 1 : 0);
  if (maxOldPages !== null && walked >= maxOldPages) {
    return { items, nextCursor: null, incompleteReason: "UPSTREAM_WINDOW_LIMIT" };
  }
  const at = pagesByTime ? (page.at(-1)?.publishedAt.getTime() ?? from.at) : start + page.length;
  return { items, nextCursor: { at, lastId: null, walked }, incompleteReason: null };
}

function isListed({ provider }: Account, visibility: Visibility): boolean {
  return visibility === "public" || PROVIDERS[provider].showsHiddenPosts;
}

function isInside(publishedAt: Date, { publishedAfter, publishedBefore }: ListRequest): boolean {
  return publishedAt >= publishedAfter && publishedAt < publishedBefore;
}

/** Posts are sorted newest first. */
function indexBefore(posts: readonly Post[], timeMs: number): number {
  const index = posts.findIndex((post) => post.publishedAt.getTime() < timeMs);
  return index < 0 ? posts.length : index;
}

/** The rest of a truncated page; the whole page when the last returned post is no longer on it. */
function afterLast(posts: readonly Post[], lastId: string | null): readonly Post[] {
  return lastId === null ? posts : posts.slice(posts.findIndex((post) => post.id === lastId) + 1);
}

/** The cursor after one post; the start of the listing for null, or for a post that is not listed. */
export function cursorAfter(
  account: Account,
  posts: readonly Post[],
  visibilityOf: (post: Post) => Visibility,
  postId: string | null,
): ListingCursor {
  const { pagesByTime } = PROVIDERS[account.provider].listing;
  const listed = posts.filter((post) => isListed(account, visibilityOf(post)));
  const index = listed.findIndex((post) => post.id === postId);
  const post = listed[index];
  if (!pagesByTime) return { at: index + 1, lastId: null, walked: 0 };
  return { at: post?.publishedAt.getTime() ?? Number.MAX_SAFE_INTEGER, lastId: null, walked: 0 };
}
