import type { ProviderError, ProviderSession } from "../contract.ts";
import { type HttpRequest, readApi } from "../httpJson.ts";
import type { MetricsMode } from "../metrics.ts";
import { type Fields, readFields } from "../optionalFields.ts";
import { readBatch } from "../readEach.ts";
import { hasReason, partRefusal, readFailure } from "./errors.ts";
import { type ChannelWire, channelListWire, VIDEO, VIDEO_WITH_METRICS, type VideoWire, videoListWire } from "./wire.ts";

/** One call with the parts that the provider accepts. */
export function readParts(session: ProviderSession, path: string, parts: Fields, query: HttpRequest["query"]) {
  return readFields(parts, (part) => readApi(session, path, { part: part.join(","), ...query }), partRefusal);
}

/** The grant's channel with the requested parts; null when the user has none. */
export async function readChannel(session: ProviderSession, parts: Fields): Promise<ChannelWire | null> {
  const { answer } = await readParts(session, "channels", parts, { mine: "true" });
  const failure = readFailure(answer, session.registration.now);
  if (failure !== null) throw failure;
  const { items } = channelListWire.parse(answer.body);
  return items.find((channel) => channel.id === session.providerAccountId) ?? items[0] ?? null;
}

/**
 * Videos by id, at most 50; unknown, foreign and deleted ids are in neither result. `onRead` gets each part that was read,
 * also of a batch that fails in the end.
 */
export async function readVideos(
  session: ProviderSession,
  ids: readonly string[],
  metrics: MetricsMode,
  onRead: (videos: ReadonlyMap<string, VideoWire>) => void = () => undefined,
): Promise<{
  readonly found: ReadonlyMap<string, VideoWire>;
  readonly unreadable: readonly string[];
  readonly refusal: ProviderError | null;
}> {
  // Other strings are not ids, and a comma in one would request more videos.
  const read = await readBatch(
    ids.filter((id) => /^[\w-]+$/.test(id)),
    async (part) => {
      const videos = await askVideos(session, part, metrics);
      onRead(videos);
      return videos;
    },
  );
  // The documented refusal of one video says nothing about the account.
  return read.refusal?.refusal?.code === "forbidden" ? { ...read, refusal: null } : read;
}

async function askVideos(
  session: ProviderSession,
  ids: readonly string[],
  metrics: MetricsMode,
): Promise<Map<string, VideoWire>> {
  const parts = metrics === "ask" ? VIDEO_WITH_METRICS : VIDEO;
  const { answer } = await readParts(session, "videos", parts, { id: ids.join(",") });
  // Documented in addition to the empty list for an unknown id.
  if (ids.length === 1 && answer.status === 404 && hasReason(answer, "videoNotFound")) return new Map();
  const failure = readFailure(answer, session.registration.now);
  if (failure !== null) throw failure;
  const videos = videoListWire.parse(answer.body).items;
  return new Map(videos.flatMap((video) => (video.id !== null && ids.includes(video.id) ? [[video.id, video]] : [])));
}
