import { takeItems } from "@social-connect/domain";
import { z } from "zod";
import { mapLimited } from "../concurrency.ts";
import type { ListPage, ListRequest, ProviderSession } from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { afterLast, decodeCursor, encodeCursor, mayBeInWindow } from "../paging.ts";
import { readMetrics } from "./insights.ts";
import { toObservation } from "./observations.ts";
import { readMediaPage } from "./reads.ts";

const PAGE_SIZE = 50;
/** The provider lists at most an account's 10,000 newest posts. */
const MAX_LISTED = 10_000;
/** Insights are one request per post; this many run concurrently. */
export const CONCURRENT_INSIGHTS = 4;

const position = z.object({
  after: z.string().nullable(),
  /** The last post returned from this page, when only part of it was returned. */
  lastId: z.string().optional(),
  /** Posts on the previous pages. */
  seen: z.number().int().nonnegative(),
});

/** Posts newest first; pages newer than the window are skipped, because a listing cannot start at a time. */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const from = decodeCursor(position, request.cursor) ?? { after: null, seen: 0 };
  const mode = metricsMode(session, request.withMetrics);
  const page = await readMediaPage(session, mode, PAGE_SIZE, from.after);
  const posts = page.media.flatMap((media) =>
    media.id === null ? [] : [{ id: media.id, media, publishedAt: media.timestamp, reason: null }],
  );

  const found = afterLast(posts, (post) => post.id, from.lastId).filter(({ media }) =>
    mayBeInWindow(media.timestamp, request),
  );
  const wanted = takeItems(found, request.maxItems);
  const items = await mapLimited(wanted, CONCURRENT_INSIGHTS, async ({ id, media }) =>
    toObservation(media, id, await readMetrics(session, media, id, mode)),
  );
  if (found.length > wanted.length) {
    const lastId = wanted.at(-1)?.id ?? from.lastId;
    const nextCursor = encodeCursor({
      after: from.after,
      seen: from.seen,
      ...(lastId === undefined ? {} : { lastId }),
    });
    return { items, nextCursor, incompleteReason: null };
  }

  const seen = from.seen + posts.length;
  const older = posts.filter(({ media }) => media.timestamp !== null && media.timestamp < request.publishedAfter);
  if (posts.length > 0 && older.length === posts.length) return { items, nextCursor: null, incompleteReason: null };
  if (page.after === null) {
    const capped = seen >= MAX_LISTED && older.length === 0;
    return { items, nextCursor: null, incompleteReason: capped ? "UPSTREAM_WINDOW_LIMIT" : null };
  }
  // A cursor that points to itself would be followed forever.
  if (page.after === from.after) return { items, nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
  return { items, nextCursor: encodeCursor({ after: page.after, seen }), incompleteReason: null };
}
