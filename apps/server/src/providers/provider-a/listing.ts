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
import { metricsMode } from "../metrics.ts";
import { fieldsWithout } from "../optionalFields.ts";
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
import { mayConcernBatch } from "../readEach.ts";
import { hasReason, readFailure } from "./errors.ts";
import { toDeletedObservation, toListedObservation, toObservation } from "./observations.ts";
import { readChannel, readParts, readVideos } from "./reads.ts";
import { CHANNEL_UPLOADS, PLAYLIST_ITEM, type PlaylistItemWire, playlistItemListWire, type VideoWire } from "./wire.ts";

const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
/**
 * Uploads are listed newest first, with exceptions: a video that was uploaded long ago and published recently is among
 * older ones. The listing ends after this many consecutive posts that are more than a day older than the window.
 */
const OLD_POSTS_LIMIT = 100;
/** How many such pages a deep listing reads: 2,250 posts, for one unit of the quota each page. */
const OLD_PAGES_LIMIT = 45;

const position = z.object({
  /** Absent where the channel named none. */
  playlistId: z.string().optional(),
  pageToken: z.string().optional(),
  ...pageFields(PAGE_SIZE),
  /** Posts of this page that were returned, when only part of it was. */
  done: z.array(z.string()).optional(),
  /** Consecutive posts that are older than the window, and pages of nothing else. */
  oldPosts: z.number().int().nonnegative(),
  oldPages: z.number().int().nonnegative(),
  mark: landmark.optional(),
  /** The provider had rejected a page token, and the listing began again. */
  restarted: z.literal(true).optional(),
});
type Position = z.output<typeof position>;
/** The list shows the video. Without it in the response for its id, it is not deleted. */
const SHOWN: readonly (string | null)[] = ["public", "unlisted"];
interface Entry {
  readonly id: string;
  readonly item: PlaylistItemWire;
}

/** Reads the uploads playlist, 50 entries a call, and the videos on it that can be in the window. */
export async function listContent(session: ProviderSession, request: ListRequest): Promise<ListPage> {
  const start = decodeCursor(position, request.cursor) ?? { oldPosts: 0, oldPages: 0 };
  if (request.maxItems < 1) return { ...pageOf([], null), nextCursor: request.cursor };
  const from: Position = { ...start, playlistId: start.playlistId ?? (await readUploadsId(session)) };
  const isFirstPage = from.pageToken === undefined;
  if (from.playlistId === undefined) return missingPage(from, isFirstPage);
  const { page: read, size } = await readFittingPage(from.size ?? PAGE_SIZE, (limit) =>
    readPlaylistPage(session, from, limit),
  );
  const { answer, refused } = read;
  const without = [...(from.without ?? []), ...refused];
  const sized = nextPageFields(PAGE_SIZE, size, without);
  // A channel without uploads names a list that does not exist; the provider also answers this for a list that it shows later.
  if (answer.status === 404 && hasReason(answer, "playlistNotFound")) return missingPage(from, isFirstPage);
  if (from.pageToken !== undefined && hasReason(answer, "invalidPageToken")) return restart(from);
  const failure = readFailure(answer, session.registration.now);
  if (failure !== null) throw failure;
  const page = playlistItemListWire.parse(answer.body);
  if (page.nextPageToken === null && !hasItems(answer)) return missingPage(from, isFirstPage);
  const entries = page.items.flatMap((item): Entry[] => {
    const id = item.contentDetails.videoId ?? item.snippet.resourceId.videoId;
    return id === null ? [] : [{ id, item }];
  });

  const done = from.done ?? [];
  const candidates = notYetRead(entries, done).filter(({ item }) =>
    mayBeInWindow(item.contentDetails.videoPublishedAt, request),
  );
  const { found, interruption } = await observe(session, request, candidates);
  const items = takeItems(found, request.maxItems);
  if (found.length > items.length || interruption !== null) {
    const next = { ...from, ...sized, done: [...done, ...items.map((item) => item.providerContentId)] };
    return { ...pageOf(items, next), ...(interruption !== null && { interruption }) };
  }
  if (page.nextPageToken === null) return pageOf(items, null);
  const mark = passLandmark(from.mark, page.nextPageToken);
  if (mark === null || page.nextPageToken === from.pageToken) return pageOf(items, null, "UPSTREAM_PAGE_LIMIT");
  const old = countOld(from, entries, request);
  if (old.oldPosts >= OLD_POSTS_LIMIT && (request.isDeep !== true || old.oldPages >= OLD_PAGES_LIMIT))
    return pageOf(items, null);
  const { playlistId, restarted } = from;
  const next = { playlistId, pageToken: page.nextPageToken, ...sized, ...old, mark, ...(restarted && { restarted }) };
  return pageOf(items, next satisfies Position);
}

async function readPlaylistPage(session: ProviderSession, from: Position, limit: number) {
  const { playlistId, pageToken, without } = from;
  const query = { playlistId, maxResults: String(limit), pageToken };
  const read = await readParts(session, "playlistItems", fieldsWithout(PLAYLIST_ITEM, without), query);
  return read.answer.status === 413 ? "too-large" : read;
}

function hasItems({ body }: HttpAnswer): boolean {
  return isRecord(body) && Array.isArray(body.items);
}

/** Begins the listing again, once: the posts that it repeats are recognized by their ids. */
function restart({ playlistId, restarted }: Position): ListPage {
  if (restarted) return pageOf([], null, "UPSTREAM_PAGE_LIMIT");
  return pageOf([], { playlistId, oldPosts: 0, oldPages: 0, restarted: true });
}

function countOld(from: Position, entries: readonly Entry[], request: ListRequest) {
  let { oldPosts } = from;
  for (const { item } of entries) {
    const when = publishedOrAddedAt(item);
    if (when !== null) oldPosts = when.getTime() < request.publishedAfter.getTime() - DAY_MS ? oldPosts + 1 : 0;
  }
  const isOldPage = entries.length > 0 && oldPosts >= entries.length;
  return { oldPosts, oldPages: from.oldPages + (isOldPage ? 1 : 0) };
}

async function readUploadsId(session: ProviderSession): Promise<string | undefined> {
  const channel = await readChannel(session, CHANNEL_UPLOADS);
  // A missing channel is not an empty one: nothing was listed.
  if (channel === null) throw new ProviderError("account_unreadable", "the user has no channel");
  const expected = session.providerAccountId;
  // Another channel's posts must never be stored for the connection.
  if (expected !== null && channel.id !== expected) {
    throw new ProviderError("rejected", "the grant belongs to another channel than the connection's");
  }
  return channel.contentDetails.relatedPlaylists.uploads ?? undefined;
}

/** Videos that cannot be read are returned as the playlist shows them, unless most of the page fails. */
async function observe(session: ProviderSession, request: ListRequest, entries: readonly Entry[]) {
  const metrics = metricsMode(session, request.withMetrics);
  const found = new Map<string, VideoWire>();
  const unreadable = new Set<string>();
  let interruption: ProviderError | null = null;
  try {
    const ids = entries.map(({ id }) => id);
    const read = await readVideos(session, ids, metrics, (videos) => {
      for (const [id, video] of videos) found.set(id, video);
    });
    for (const id of read.unreadable) unreadable.add(id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // A single post does not show whether the provider fails for others: it must not stop the account's scans.
    const [only, ...others] = entries;
    if (only !== undefined && others.length === 0 && mayConcernBatch(error)) unreadable.add(only.id);
    else if (found.size === 0) throw error;
    else interruption = error;
  }
  const observations = entries.flatMap(({ id, item }): ContentObservation[] => {
    const video = found.get(id);
    if (video !== undefined) {
      const observation = toObservation(video, id, metrics, item);
      return mayBeInWindow(observation.publishedAt, request) ? [observation] : [];
    }
    if (interruption !== null) return [];
    if (!mayBeInWindow(publishedOrAddedAt(item), request)) return [];
    const isShown = unreadable.has(id) || SHOWN.includes(item.status.privacyStatus);
    return [isShown ? toListedObservation(item, id, metrics) : toDeletedObservation(item, id, metrics)];
  });
  return { found: observations, interruption };
}

/** A tombstone has no publication time; the time when it was added is the best estimate and is used only here. */
function publishedOrAddedAt({ contentDetails, snippet }: PlaylistItemWire): Date | null {
  return contentDetails.videoPublishedAt ?? snippet.publishedAt;
}
