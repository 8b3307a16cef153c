import type { Availability, ObservationReason } from "@social-connect/contract";
import { EMPTY_CONTENT } from "@social-connect/domain";
import { handleOf } from "../coerce.ts";
import type { ContentObservation, MetricReading, ProviderAccount } from "../contract.ts";
import { inOrder, type MetricsMode, NOT_OFFERED, notGrantedMetrics, reading } from "../metrics.ts";
import { traits } from "./publicApi.ts";
import type { ChannelWire, PlaylistItemWire, VideoWire } from "./wire.ts";

export function toAccount(channel: ChannelWire, id: string): ProviderAccount {
  const { snippet } = channel;
  const { high, medium, default: small } = snippet.thumbnails;
  return {
    providerAccountId: id,
    // The channel does not identify the user who consented.
    providerUserKey: null,
    displayName: snippet.title,
    handle: handleOf(snippet.customUrl),
    avatarUrl: high.url ?? medium.url ?? small.url,
    profileUrl: `https://www.youtube.com/channel/${encodeURIComponent(id)}`,
    description: snippet.description,
  };
}

/** `listed`: the playlist's entry of the video, for a response without a snippet or a status. */
export function toObservation(
  video: VideoWire,
  id: string,
  metrics: MetricsMode,
  listed: PlaylistItemWire | null = null,
): ContentObservation {
  return {
    ...videoOf(id),
    title: video.snippet.title,
    description: video.snippet.description,
    publishedAt: video.snippet.publishedAt ?? listed?.contentDetails.videoPublishedAt ?? null,
    ...availabilityOf(video, listed),
    metrics: metricsOf(video, metrics),
  };
}

/** A video that the uploads list shows and that could not be read by its id: what the list shows of it. */
export function toListedObservation(entry: PlaylistItemWire, id: string, metrics: MetricsMode): ContentObservation {
  return {
    ...videoOf(id),
    title: entry.snippet.title,
    description: entry.snippet.description,
    publishedAt: entry.contentDetails.videoPublishedAt ?? entry.snippet.publishedAt,
    ...(entry.status.privacyStatus === "private"
      ? ({ availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" } as const)
      : ({ availability: "AVAILABLE", reason: null } as const)),
    metrics: missingMetrics(metrics),
  };
}

/** An entry of the uploads list without its video. */
export function toDeletedObservation(entry: PlaylistItemWire, id: string, metrics: MetricsMode): ContentObservation {
  const isPrivate = entry.status.privacyStatus === "private" || entry.snippet.title === "Private video";
  return {
    ...videoOf(id),
    publishedAt: entry.contentDetails.videoPublishedAt,
    availability: "UNAVAILABLE",
    reason: isPrivate ? "PRIVATE_AT_PROVIDER" : "DELETED_AT_PROVIDER",
    metrics: missingMetrics(metrics),
  };
}

function availabilityOf(
  video: VideoWire,
  listed: PlaylistItemWire | null,
): { availability: Availability; reason: ObservationReason | null } {
  const { uploadStatus } = video.status;
  const privacyStatus = video.status.privacyStatus ?? listed?.status.privacyStatus;
  if (uploadStatus === "deleted") return { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" };
  if (privacyStatus === "private") return { availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" };
  // Rejected or failed uploads are not watchable, and the contract has no reason for them.
  if (uploadStatus === "rejected" || uploadStatus === "failed") return { availability: "UNAVAILABLE", reason: null };
  return { availability: "AVAILABLE", reason: null };
}

function metricsOf(video: VideoWire, mode: MetricsMode): MetricReading[] {
  if (mode === "none") return [];
  if (mode === "not-granted") return notGrantedMetrics(traits);
  const { viewCount, likeCount, commentCount } = video.statistics;
  // Owners can hide likes and disable comments, which omits only that count. Without any count, nothing is hidden: the
  // provider sent no statistics.
  const reason = (viewCount ?? likeCount ?? commentCount) === null ? "METRIC_NOT_GIVEN" : "METRIC_HIDDEN";
  return inOrder({
    VIEWS: reading(viewCount, "statistics.viewCount"),
    LIKES: reading(likeCount, "statistics.likeCount", reason),
    COMMENTS: reading(commentCount, "statistics.commentCount", reason),
    SHARES: NOT_OFFERED,
  });
}

function missingMetrics(mode: MetricsMode): MetricReading[] {
  if (mode !== "ask") return mode === "none" ? [] : notGrantedMetrics(traits);
  return inOrder({
    VIEWS: reading(null, "statistics.viewCount"),
    LIKES: reading(null, "statistics.likeCount"),
    COMMENTS: reading(null, "statistics.commentCount"),
    SHARES: NOT_OFFERED,
  });
}

function videoOf(id: string) {
  const canonicalUrl = `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`;
  return { ...EMPTY_CONTENT, providerContentId: id, kind: "VIDEO", canonicalUrl } as const;
}
