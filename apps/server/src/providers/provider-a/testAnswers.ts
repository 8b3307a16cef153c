import { type ReplayAnswer, recordings, replayTo } from "../testing/replay.ts";

export { AUGUST as WINDOW } from "../testing/replay.ts";

/** Responses and request values for this adapter's tests. */

export const CHANNEL = "UCfake0123456789FAKEfake";
export const { recorded, said } = recordings(import.meta.url);
export const setUp = (...answers: ReplayAnswer[]) => replayTo("PROVIDER_A", ...answers);
export const list = (items: unknown[], rest: object = {}) => ({
  body: { kind: "youtube#listResponse", items, ...rest },
});
export const channel = (id = CHANNEL): ReplayAnswer =>
  list([{ id, snippet: { title: "Example" }, contentDetails: { relatedPlaylists: { uploads: "UUfake" } } }]);
export const entry = (videoId: string, publishedAt?: string, more: object = {}) => ({
  snippet: { resourceId: { videoId }, publishedAt: "2026-08-30T00:00:00Z", title: `Title ${videoId}` },
  contentDetails: { videoId, videoPublishedAt: publishedAt },
  ...more,
});
export const video = (id: string, publishedAt: string, more: object = {}) => ({
  id,
  snippet: { channelId: CHANNEL, title: `Video ${id}`, description: "", publishedAt },
  status: { uploadStatus: "processed", privacyStatus: "public" },
  statistics: { viewCount: "10", likeCount: "2", favoriteCount: "0", commentCount: "1" },
  ...more,
});
