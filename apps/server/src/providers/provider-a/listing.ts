import { takeItems } from "@social-connect/domain";
import { z } from "zod";
import type { ContentObservation, ListPage, ListRequest, ProviderSession } from "../contract.ts";
import { ProviderError } from "../contract.ts";
import { readApi } from "../httpJson.ts";
import { metricsMode } from "../metrics.ts";
import { afterLast, decodeCursor, encodeCursor, mayBeInWindow } from "../paging.ts";
import { hasReason, readFailure } from "./errors.ts";
import { toDeletedObservation, toObservation } from "./observations.ts";
import { readChannel, readVideos } from "./reads.ts";
import type { PlaylistItemWire } from "./wire.ts";
import { playlistItemListWire } from "./wire.ts";

const PAGE_SIZE = "50";
/**
 * How many pages without recent videos are read after the window's start. A video that was uploaded long ago and
 * published recently is deep in the list, so the list is read to its end; beyond this many pages (5,000 videos) the
 * quota, one unit per page, is worth more, and the listing reports that it is incomplete.
 */
const OLD_PAGES_LIMIT = 100;

const position = z.object({
  playlistId: z.string(),
  pageToken: z.string().optional(),
  /** The last post returned from this page, when only part of it was returned. */
  lastId: z.string().optional(),
  oldPages: z.number().int().nonnegative(),
});
type Position = z.output<typeof position>;
interface Entry {
  readonly id: string;
  readonly item: PlaylistItemWire;
}

const NOTHING: ListPage = { items: [], nextCursor: null, incompleteReason: null };

/** Reads the uploads playlist, 50 entries a call, and the videos on it that can be in the window. */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const from = decodeCursor(position, request.cursor) ?? (await firstPosition(session));
  if (from === null || request.maxItems < 1) return { ...NOTHING, nextCursor: request.cursor };
  const { playlistId, pageToken } = from;
  const answer = await readApi(session, "playlistItems", {
    part: "snippet,contentDetails,status",
    playlistId,
    maxResults: PAGE_SIZE,
    pageToken,
  });
  // A channel without uploads names a list that does not exist.
  if (answer.status === 404 && hasReason(answer, "playlistNotFound")) return NOTHING;
  const failure = readFailure(answer, session.registration.now);
  if (failure !== null) throw failure;
  const page = playlistItemListWire.parse(answer.body);
  const entries = page.items.flatMap((item): Entry[] => {
    const id = item.contentDetails.videoId ?? item.snippet.resourceId.videoId;
    return id === null ? [] : [{ id, item }];
  });

  const candidates = afterLast(entries, (entry) => entry.id, from.lastId).filter(({ item }) =>
    mayBeInWindow(item.contentDetails.videoPublishedAt, request),
  );
  const found = await observe(session, request, candidates);
  const items = takeItems(found, request.maxItems);
  const last = items.at(-1);
  if (found.length > items.length && last !== undefined) {
    return { items, nextCursor: encodeCursor({ ...from, lastId: last.providerContentId }), incompleteReason: null };
  }
  if (page.nextPageToken === null) return { items, nextCursor: null, incompleteReason: null };
  // A token that points to itself would be followed forever.
  if (page.nextPageToken === pageToken) return { items, nextCursor: null, incompleteReason: "UPSTREAM_PAGE_LIMIT" };
  const oldPages = from.oldPages + (entries.length > 0 && entries.every((entry) => isOld(entry, request)) ? 1 : 0);
  if (oldPages >= OLD_PAGES_LIMIT) return { items, nextCursor: null, incompleteReason: "UPSTREAM_WINDOW_LIMIT" };
  const next: Position = { playlistId, pageToken: page.nextPageToken, oldPages };
  return { items, nextCursor: encodeCursor(next), incompleteReason: null };
}

async function firstPosition(session: ProviderSession): Promise<Position | null> {
  const channel = await readChannel(session, "id,contentDetails");
  // A missing channel is not an empty one: nothing was listed.
  if (channel === null) throw new ProviderError("rejected", "the user has no channel");
  const expected = session.providerAccountId;
  // Another channel's posts must never be stored for the connection.
  if (expected !== null && channel.id !== expected) {
    throw new ProviderError("rejected", "the grant belongs to another channel than the connection's");
  }
  const playlistId = channel.contentDetails.relatedPlaylists.uploads;
  return playlistId === null ? null : { playlistId, oldPages: 0 };
}

async function observe(
  session: ProviderSession,
  request: ListRequest,
  entries: readonly Entry[],
): Promise<ContentObservation[]> {
  const metrics = metricsMode(session, request.withMetrics);
  const videos = await readVideos(session, [...new Set(entries.map((entry) => entry.id))], metrics);
  return entries.flatMap(({ id, item }) => {
    const video = videos.get(id);
    if (video !== undefined) {
      const observation = toObservation(video, id, metrics, item.contentDetails.videoPublishedAt);
      return mayBeInWindow(observation.publishedAt, request) ? [observation] : [];
    }
    // A tombstone has no publication time; the time when it was added is the best estimate and is used only here.
    const when = item.contentDetails.videoPublishedAt ?? item.snippet.publishedAt;
    return mayBeInWindow(when, request) ? [toDeletedObservation(item, id, metrics)] : [];
  });
}

function isOld({ item }: Entry, request: ListRequest): boolean {
  const when = item.contentDetails.videoPublishedAt ?? item.snippet.publishedAt;
  return when !== null && when < request.publishedAfter;
}
