import type { ContentKind } from "@social-connect/contract";
import { EMPTY_CONTENT } from "@social-connect/domain";
import { handleOf, withoutTracking } from "../coerce.ts";
import type { ContentObservation, MetricReading, ProviderAccount } from "../contract.ts";
import { inOrder, type MetricsMode, notGrantedMetrics, reading } from "../metrics.ts";
import { traits } from "./publicApi.ts";
import type { UserWire, VideoWire } from "./wire.ts";

export function toAccount(user: UserWire, id: string): ProviderAccount {
  return {
    providerAccountId: id,
    // A consent is between one application and one user, and so is the open id.
    providerUserKey: id,
    displayName: user.display_name,
    handle: handleOf(user.username),
    avatarUrl: user.avatar_url,
    profileUrl: user.profile_deep_link,
    description: user.bio_description,
  };
}

export function toObservation(video: VideoWire, id: string, metrics: MetricsMode): ContentObservation {
  const canonicalUrl = withoutTracking(video.share_url);
  return {
    ...EMPTY_CONTENT,
    providerContentId: id,
    kind: kindOf(canonicalUrl, video.cover_image_url),
    canonicalUrl,
    thumbnailUrl: video.cover_image_url,
    title: video.title,
    description: video.video_description,
    publishedAt: video.create_time,
    // Only public posts are returned; deleted and private posts are missing.
    availability: "AVAILABLE",
    reason: null,
    metrics: metricsOf(video, metrics),
  };
}

/**
 * A photo post has the format of a video, often under a video URL; then only the cover's URL shows the difference. The
 * number of photos is not available.
 */
function kindOf(address: string | null, cover: string | null): ContentKind {
  const isPhotoPost = /\/photo\/\d+/.test(address ?? "") || /[-_]photomode\b/.test(cover ?? "");
  return isPhotoPost ? "UNKNOWN" : "VIDEO";
}

function metricsOf(video: VideoWire, mode: MetricsMode): MetricReading[] {
  if (mode === "none") return [];
  if (mode === "not-granted") return notGrantedMetrics(traits);
  return inOrder({
    VIEWS: reading(video.view_count, "view_count"),
    LIKES: reading(video.like_count, "like_count"),
    COMMENTS: reading(video.comment_count, "comment_count"),
    SHARES: reading(video.share_count, "share_count"),
  });
}
