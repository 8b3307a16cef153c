import type { ContentKind } from "@social-connect/contract";
import { EMPTY_CONTENT } from "@social-connect/domain";
import { handleOf, withoutTracking } from "../coerce.ts";
import type { ContentObservation, MetricReading, ProviderAccount } from "../contract.ts";
import type { AccountWire, MediaWire } from "./wire.ts";

const KINDS: ReadonlyMap<string | null, ContentKind> = new Map([
  ["IMAGE", "IMAGE"],
  ["VIDEO", "VIDEO"],
  ["REELS", "VIDEO"],
  ["CAROUSEL_ALBUM", "CAROUSEL"],
]);

export function toAccount(account: AccountWire, id: string): ProviderAccount {
  const handle = handleOf(account.username);
  return {
    providerAccountId: id,
    // The provider's id of the user for this application, e.g. in deauthorize callbacks.
    providerUserKey: account.id,
    displayName: account.name,
    handle,
    avatarUrl: account.profile_picture_url,
    profileUrl: handle === null ? null : `https://www.instagram.com/${encodeURIComponent(handle)}/`,
    description: account.biography,
  };
}

export function toObservation(media: MediaWire, id: string, metrics: readonly MetricReading[]): ContentObservation {
  return {
    ...EMPTY_CONTENT,
    providerContentId: id,
    kind: KINDS.get(media.media_type) ?? "UNKNOWN",
    canonicalUrl: withoutTracking(media.permalink),
    // Only videos have one; an image's own URL is not a thumbnail.
    thumbnailUrl: media.thumbnail_url,
    description: media.caption,
    publishedAt: media.timestamp,
    availability: "AVAILABLE",
    reason: null,
    metrics,
  };
}
