import { takeItems } from "@social-connect/domain";
import { z } from "zod";
import type { ContentObservation, ListPage, ListRequest, ProviderSession } from "../contract.ts";
import { type MetricsMode, metricsMode } from "../metrics.ts";
import {
  decodeCursor,
  landmark,
  mayBeInWindow,
  missingPage,
  nextPageFields,
  notYetRead,
  pageFields,
  pageOf,
  passLandmark,
  readFittingPage,
} from "../paging.ts";
import { mayConcernBatch, readEach } from "../readEach.ts";
import { metricsWithoutInsights, readMetrics } from "./insights.ts";
import { toObservation } from "./observations.ts";
import { readMediaPage } from "./reads.ts";
import type { MediaWire } from "./wire.ts";

const PAGE_SIZE = 50;
/** The provider lists at most an account's 10,000 newest posts. */
const MAX_LISTED = 10_000;
/** Insights are one request per post; this many run concurrently. */
export const CONCURRENT_INSIGHTS = 4;

const position = z.object({
  after: z.string().nullable(),
  ...pageFields(PAGE_SIZE),
  /** Posts of this page that were returned, when only part of it was. */
  done: z.array(z.string()).optional(),
  /** Posts on the previous pages. */
  seen: z.number().int().nonnegative(),
  mark: landmark.optional(),
  /** The provider had rejected a cursor, and the listing began again. */
  restarted: z.literal(true).optional(),
});
type Position = z.output<typeof position>;

interface Post {
  readonly id: string;
  readonly media: MediaWire;
  readonly publishedAt: Date | null;
  readonly reason: null;
}

/** Posts newest first; pages newer than the window are skipped, because a listing cannot start at a time. */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const from: Position = decodeCursor(position, request.cursor) ?? { after: null, seen: 0 };
  const mode = metricsMode(session, request.withMetrics);
  const { page, size } = await readFittingPage(from.size ?? PAGE_SIZE, (limit) =>
    readMediaPage(session, mode, limit, from.after, from.without),
  );
  if (page === "cursor-rejected") return restart(from);
  if (page === "missing") return missingPage(from, false);
  const sized = nextPageFields(PAGE_SIZE, size, page.refused);
  const posts = page.media.flatMap((media): Post[] =>
    media.id === null ? [] : [{ id: media.id, media, publishedAt: media.timestamp, reason: null }],
  );

  const done = from.done ?? [];
  const found = notYetRead(posts, done).filter(({ media }) => mayBeInWindow(media.timestamp, request));
  const wanted = takeItems(found, request.maxItems);
  const { items, ids, interruption } = await observe(session, wanted, mode);
  if (found.length > ids.length) {
    const next = { ...from, ...sized, done: [...done, ...ids] };
    return { ...pageOf(items, next), ...(interruption !== null && { interruption }) };
  }

  const seen = from.seen + posts.length;
  const older = posts.filter(({ media }) => media.timestamp !== null && media.timestamp < request.publishedAfter);
  if (posts.length > 0 && older.length === posts.length) return pageOf(items, null);
  const isCapped = seen >= MAX_LISTED && older.length === 0;
  if (page.isLast) return pageOf(items, null, isCapped ? "UPSTREAM_WINDOW_LIMIT" : null);
  // The listing cannot continue without a cursor, or with a cursor that leads back.
  const mark = page.after === null ? null : passLandmark(from.mark, page.after);
  if (mark === null || page.after === from.after) return pageOf(items, null, "UPSTREAM_PAGE_LIMIT");
  const next: Position = { after: page.after, ...sized, seen, mark, ...(from.restarted && { restarted: true }) };
  return pageOf(items, next);
}

/** Begins the listing again, once: the posts that it repeats are recognized by their ids. */
function restart(from: Position): ListPage {
  if (from.restarted) return pageOf([], null, "UPSTREAM_PAGE_LIMIT");
  return pageOf([], { after: null, seen: 0, restarted: true });
}

/** Posts whose numbers cannot be read are returned without them, unless most posts fail. */
async function observe(session: ProviderSession, posts: readonly Post[], mode: MetricsMode) {
  const { read, failed, fault } = await readEach(posts, CONCURRENT_INSIGHTS, ({ id, media }) =>
    readMetrics(session, media, id, mode),
  );
  const metrics = new Map(read.map(({ item, result }) => [item, result]));
  // A single post does not show whether the provider fails for others: it must not stop the account's scans.
  const isOnlyPost = posts.length === 1 && fault !== null && mayConcernBatch(fault);
  if (fault === null || isOnlyPost) for (const post of failed) metrics.set(post, metricsWithoutInsights(post.media));
  const returned = posts.filter((post) => metrics.has(post));
  const items = returned.map((post): ContentObservation => toObservation(post.media, post.id, metrics.get(post) ?? []));
  const interruption = isOnlyPost ? null : fault;
  if (interruption !== null && items.length === 0) throw interruption;
  return { items, ids: returned.map(({ id }) => id), interruption };
}
