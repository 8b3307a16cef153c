import type { ContentKind } from "@social-connect/contract";
import { withoutTracking } from "../coerce.ts";
import type { ContentObservation, MetricReading, ProviderAccount } from "../contract.ts";
import type { AccountWire, MediaWire } from "./wire.ts";

const KINDS: Readonly<Record<string, ContentKind>> = {
  IMAGE: "IMAGE",
  VIDEO: "VIDEO",
  REELS: "VIDEO",
  CAROUSEL_ALBUM: "CAROUSEL",
};

export function toAccount(account: AccountWire, id: string): ProviderAccount {
  return {
    providerAccountId: id,
    // The id that the provider uses towards this application, e.g. when the person removes it.
    providerUserKey: account.id,
    displayName: account.name,
    handle: account.username,
    avatarUrl: account.profile_picture_url,
    profileUrl: account.username === null ? null : `https://www.instagram.com/${encodeURIComponent(account.username)}/`,
    description: account.biography,
  };
}

export function toObservation(media: MediaWire, id: string, metrics: readonly MetricReading[]): ContentObservation {
  return {
    providerContentId: id,
    kind: KINDS[media.media_type ?? ""] ?? "UNKNOWN",
    canonicalUrl: withoutTracking(media.permalink),
    // Videos alone have one; an image's own address is not a thumbnail.
    thumbnailUrl: media.thumbnail_url,
    title: null,
    description: media.caption,
    publishedAt: media.timestamp,
    availability: "AVAILABLE",
    reason: null,
    metrics,
  };
}
