import { takeItems } from "@social-connect/domain";
import { z } from "zod";
import type { ListPage, ListRequest, ProviderSession } from "../contract.ts";
import { metricsMode } from "../metrics.ts";
import { afterLast, decodeCursor, encodeCursor, mayBeInWindow } from "../paging.ts";
import { toObservation } from "./observations.ts";
import { postVideos } from "./reads.ts";
import { videosWire } from "./wire.ts";

const PAGE_SIZE = 20;

const position = z.object({
  /** UTC milliseconds: the provider lists posts published before this time. */
  before: z.number().int(),
  /** The last post returned from this page, when only part of it was returned. */
  lastId: z.string().optional(),
});

/** Public posts, newest first. The provider's cursor is a time, so a listing starts at the window's end. */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const from = decodeCursor(position, request.cursor) ?? { before: request.publishedBefore.getTime() };
  const metrics = metricsMode(session, request.withMetrics);
  const answer = await postVideos(session, "list", metrics, { cursor: from.before, max_count: PAGE_SIZE });
  const { data } = videosWire.parse(answer.body);
  const posts = data.videos.flatMap((video) => (video.id === null ? [] : [toObservation(video, video.id, metrics)]));

  const found = afterLast(posts, (post) => post.providerContentId, from.lastId).filter((post) =>
    mayBeInWindow(post.publishedAt, request),
  );
  const items = takeItems(found, request.maxItems);
  if (found.length > items.length) {
    const lastId = items.at(-1)?.providerContentId ?? from.lastId;
    const nextCursor = encodeCursor({ before: from.before, ...(lastId === undefined ? {} : { lastId }) });
    return { items, nextCursor, incompleteReason: null };
  }

  const allOlder =
    posts.length > 0 && posts.every(({ publishedAt }) => publishedAt !== null && publishedAt < request.publishedAfter);
  // A cursor that is not a time is unusable (0 restarts the list).
  const before = data.cursor === null || data.cursor <= 0 ? from.before : data.cursor;
  const covered = before < request.publishedAfter.getTime();
  if (data.has_more !== true || allOlder || covered) return { items, nextCursor: null, incompleteReason: null };
  // More posts, but an unusable cursor: missing, or not earlier in time.
  if (before >= from.before) return { items, nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
  return { items, nextCursor: encodeCursor({ before }), incompleteReason: null };
}
