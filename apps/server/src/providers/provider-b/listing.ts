import { takeItems } from "@social-connect/domain";
import { z } from "zod";
import { isRecord } from "../coerce.ts";
import {
  type ContentObservation,
  type ListPage,
  type ListRequest,
  ProviderError,
  type ProviderSession,
} from "../contract.ts";
import type { HttpAnswer } from "../httpJson.ts";
import { type MetricsMode, metricsMode } from "../metrics.ts";
import {
  decodeCursor,
  mayBeInWindow,
  missingPage,
  nextPageFields,
  notYetRead,
  pageFields,
  pageOf,
  readFittingPage,
} from "../paging.ts";
import { toObservation } from "./observations.ts";
import { postVideos } from "./reads.ts";
import { videosWire } from "./wire.ts";

const PAGE_SIZE = 20;
const SECOND_MS = 1_000;

const position = z.object({
  /** UTC milliseconds: the provider lists posts published before this time. */
  before: z.number().int(),
  ...pageFields(PAGE_SIZE),
  /** Posts after this position that were returned: those of the second in which the last page ended, or of a part of a page. */
  done: z.array(z.string()).optional(),
  /** A second had more posts than a page, so some of them were not listed. */
  skipped: z.literal(true).optional(),
});
type Position = z.output<typeof position>;

/**
 * Public posts, newest first. The provider's cursor is a time, so a listing starts at the window's end. Several posts can
 * have the time at which a page ends, so the next page begins at the end of that second, and posts that it repeats are
 * recognized by their ids.
 */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const from: Position = decodeCursor(position, request.cursor) ?? { before: request.publishedBefore.getTime() };
  const metrics = metricsMode(session, request.withMetrics);
  const { page: read, size } = await readFittingPage(from.size ?? PAGE_SIZE, (limit) =>
    readVideoPage(session, metrics, from, limit),
  );
  const isFirstPage = from.before === request.publishedBefore.getTime();
  if (read.refusal !== null) {
    // The provider accepts its own cursor, so that a refusal after the first page can pass.
    if (isFirstPage) throw read.refusal;
    return missingPage(from, false);
  }
  const without = [...(from.without ?? []), ...read.refused];
  const sized = nextPageFields(PAGE_SIZE, size, without);
  const { data } = videosWire.parse(read.answer.body);
  if (data.has_more !== true && !hasVideos(read.answer)) return missingPage(from, isFirstPage);
  const posts = data.videos.flatMap((video) =>
    video.id === null ? [] : [{ ...toObservation(video, video.id, metrics), id: video.id }],
  );

  const done = from.done ?? [];
  const found = notYetRead(posts, done).filter(({ publishedAt }) => mayBeInWindow(publishedAt, request));
  const taken = takeItems(found, request.maxItems);
  const items = taken.map(({ id: _, ...item }) => item);
  const skipped = from.skipped ? { skipped: true } : {};
  if (found.length > taken.length)
    return pageOf(items, { ...from, ...sized, done: [...done, ...taken.map(({ id }) => id)] });

  const end = (isCut: boolean) => pageOf(items, null, isCut || from.skipped ? "UPSTREAM_PAGE_LIMIT" : null);
  const isOlder = ({ publishedAt }: ContentObservation) => publishedAt !== null && publishedAt < request.publishedAfter;
  if (data.has_more !== true || (posts.length > 0 && posts.every(isOlder))) return end(false);
  // A cursor that is not an earlier time is unusable (0 restarts the list). The last post's time is a position, too.
  const listed = data.cursor?.getTime();
  const isUsable = listed !== undefined && listed < from.before;
  const cursor = isUsable ? listed : posts.at(-1)?.publishedAt?.getTime();
  if (cursor === undefined || cursor >= from.before) return end(true);
  if (cursor < request.publishedAfter.getTime()) return end(false);

  const second = secondOf(cursor);
  const before = second + SECOND_MS;
  if (before < from.before) {
    const ofSecond = posts.filter(({ publishedAt }) => secondOf(publishedAt?.getTime()) === second).map(({ id }) => id);
    return pageOf(items, { before, ...sized, done: ofSecond, ...skipped });
  }
  // The page began in this second and ends in it: its other posts cannot be listed, and the listing continues before it.
  return pageOf(items, { before: second, ...sized, skipped: true });
}

async function readVideoPage(session: ProviderSession, metrics: MetricsMode, from: Position, limit: number) {
  try {
    const query = { cursor: from.before, max_count: limit };
    return { ...(await postVideos(session, "list", metrics, query, from.without)), refusal: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.refusal?.status === 413) return "too-large";
    if (error.refusal?.code === "invalid_params") return { refusal: error };
    throw error;
  }
}

function hasVideos({ body }: HttpAnswer): boolean {
  return isRecord(body) && isRecord(body.data) && Array.isArray(body.data.videos);
}

/** The second of a time in milliseconds. */
function secondOf(timeMs = Number.NaN): number {
  return Math.floor(timeMs / SECOND_MS) * SECOND_MS;
}
