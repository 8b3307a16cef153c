import type { ScanIncompleteReason } from "@social-connect/contract";
import { type ContentObservation, takeItems } from "@social-connect/domain";
import type { Visibility } from "../state/providerState.ts";
import type { ListingCursor } from "../state/state.ts";
import type { Account } from "./accounts.ts";
import { type MetricsMode, observe, observeDeleted } from "./observations.ts";
import type { Post } from "./posts.ts";
import { PROVIDERS } from "./providers.ts";

export interface ListRequest {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
  readonly cursor: ListingCursor | null;
  /** The remaining number of posts, as `takeItems` counts them. */
  readonly maxItems: number;
  readonly mode: MetricsMode;
  /** Also lists posts far older than the window. */
  readonly isDeep: boolean;
  /** Number of the grant's reads of posts, with this one. */
  readonly callNumber: number;
}

export interface ListPage {
  readonly items: readonly ContentObservation[];
  /** The next page; null after the last page of the window, or at a limit of the provider. */
  readonly nextCursor: ListingCursor | null;
  /** Set with a null `nextCursor` when the provider ended the listing before the window was covered. */
  readonly incompleteReason: Extract<ScanIncompleteReason, "UPSTREAM_PAGE_LIMIT" | "UPSTREAM_WINDOW_LIMIT"> | null;
  /** The provider does not find the page, which can pass; `nextCursor` tries it again. */
  readonly isLost?: boolean;
  /** The provider's limit ended the page early; `nextCursor` continues after `items`. */
  readonly isLimited?: boolean;
}

/** Tries at a page that the provider does not find. */
const LOST_PAGE_ATTEMPTS = 3;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Pages of older posts of a deep listing. */
const MAX_OLD_PAGES = 45;

export function listPage(
  account: Account,
  posts: readonly Post[],
  visibilityOf: (post: Post) => Visibility,
  request: ListRequest,
  now: Date,
): ListPage {
  const { pageSize, pagesByTime, maxPosts, maxOldPosts } = PROVIDERS[account.provider].listing;
  const from = request.cursor ?? cursorAt(pagesByTime ? request.publishedBefore.getTime() : 0);
  const listed = posts.filter((post) => isListed(account, visibilityOf(post)));
  const start = pagesByTime ? indexBefore(listed, from.at) : from.at;
  if (start > 0 && isLost(account, request)) {
    const missing = (from.missing ?? 0) + 1;
    if (missing >= LOST_PAGE_ATTEMPTS) return { items: [], nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
    return { items: [], nextCursor: { ...from, missing }, incompleteReason: null, isLost: true };
  }
  const end = Math.min(listed.length, maxPosts ?? listed.length);
  const page = listed.slice(start, Math.min(start + pageSize, end));

  const wanted = page.filter((post) => !from.done.includes(post.id) && isInside(post.publishedAt, request));
  const seen = wanted.map((post) =>
    visibilityOf(post) === "deleted"
      ? observeDeleted(account, post, request.mode)
      : observe(account, post, visibilityOf(post), request.mode, now),
  );
  const limit = limitWithin(account, request, seen.length);
  const items = takeItems(seen, request.maxItems).slice(0, limit);
  if (seen.length > items.length) {
    const done = [...from.done, ...items.map((item) => item.providerContentId)];
    return {
      items,
      nextCursor: { ...from, done, missing: 0 },
      incompleteReason: null,
      isLimited: items.length === limit,
    };
  }
  const ended = (reason: ListPage["incompleteReason"] = null): ListPage => {
    return { items, nextCursor: null, incompleteReason: from.skipped ? "UPSTREAM_PAGE_LIMIT" : reason };
  };
  const allOlder = page.length > 0 && page.every((post) => post.publishedAt < request.publishedAfter);
  if (start + page.length >= end) return ended(listed.length > end && !allOlder ? "UPSTREAM_WINDOW_LIMIT" : null);
  if (!pagesByTime && leadsBack(account, start, pageSize)) {
    return { items, nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
  }
  if (maxOldPosts === null) {
    if (allOlder) return ended();
    const next = pagesByTime ? nextInTime(from, page) : cursorAt(start + page.length);
    return { items, nextCursor: next, incompleteReason: null };
  }
  const old = countOld(from, page, request);
  if (old.oldPosts >= maxOldPosts && !(request.isDeep && old.oldPages < MAX_OLD_PAGES)) return ended();
  return { items, nextCursor: { ...cursorAt(start + page.length), ...old }, incompleteReason: null };
}

/** Whether the provider does not find a page after the first. */
function isLost({ script }: Account, { callNumber }: ListRequest): boolean {
  return script.listNotFound === "always" || (script.listNotFound === "once" && callNumber === 2);
}

/** How many of a page's posts are read before the provider's limit is reached; all of them without one. */
function limitWithin({ script }: Account, { mode, callNumber }: ListRequest, posts: number): number {
  const { limitAfterPosts } = script;
  const applies = limitAfterPosts !== undefined && mode === "read" && callNumber === 1 && posts > limitAfterPosts;
  return applies ? limitAfterPosts : Number.POSITIVE_INFINITY;
}

/** The page's next cursor was used before. A cursor that is a time is not used then. */
function leadsBack({ script }: Account, start: number, pageSize: number): boolean {
  if (script.cursors === "stuck") return start > 0;
  return script.cursors === "returning" && start >= 2 * pageSize;
}

function cursorAt(at: number): ListingCursor {
  return { at, done: [], oldPosts: 0, oldPages: 0, skipped: false };
}

/** Begins again at the end of the second in which a page ended, because it can have more posts. */
function nextInTime(from: ListingCursor, page: readonly Post[]): ListingCursor {
  const second = Math.floor((page.at(-1)?.publishedAt.getTime() ?? from.at) / SECOND_MS) * SECOND_MS;
  const at = second + SECOND_MS;
  if (at >= from.at) return { ...cursorAt(second), skipped: true };
  const done = page.filter((post) => post.publishedAt.getTime() >= second).map((post) => post.id);
  return { ...cursorAt(at), done, skipped: from.skipped };
}

function countOld(from: ListingCursor, page: readonly Post[], { publishedAfter }: ListRequest) {
  let { oldPosts } = from;
  for (const post of page) oldPosts = post.publishedAt.getTime() < publishedAfter.getTime() - DAY_MS ? oldPosts + 1 : 0;
  return { oldPosts, oldPages: from.oldPages + (oldPosts >= page.length ? 1 : 0) };
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
  if (!pagesByTime) return cursorAt(index + 1);
  return cursorAt(post?.publishedAt.getTime() ?? Number.MAX_SAFE_INTEGER);
}
