import { z } from "zod";
import {
  coerceAddress,
  coerceCount,
  coerceDateTime,
  coerceId,
  coerceList,
  coerceNumber,
  coerceObject,
  coerceText,
} from "../coerce.ts";

/** Answers of Google OAuth 2.0 and the YouTube Data API v3, as far as they are read. Keys that are missing are null. */

export const tokenWire = coerceObject({
  access_token: coerceText,
  token_type: coerceText,
  expires_in: coerceNumber,
  refresh_token: coerceText,
  /** Text with spaces or commas; an empty one says that nothing was granted, a missing one says nothing. */
  scope: z.unknown(),
});

const thumbnail = coerceObject({ url: coerceAddress });

export const channelListWire = coerceObject({
  items: coerceList(
    coerceObject({
      id: coerceId,
      snippet: coerceObject({
        title: coerceText,
        description: coerceText,
        customUrl: coerceText,
        thumbnails: coerceObject({ default: thumbnail, medium: thumbnail, high: thumbnail }),
      }),
      contentDetails: coerceObject({ relatedPlaylists: coerceObject({ uploads: coerceText }) }),
    }),
  ),
});
export type ChannelWire = z.output<typeof channelListWire>["items"][number];

export const playlistItemListWire = coerceObject({
  items: coerceList(
    coerceObject({
      snippet: coerceObject({
        title: coerceText,
        publishedAt: coerceDateTime,
        resourceId: coerceObject({ videoId: coerceId }),
      }),
      contentDetails: coerceObject({ videoId: coerceId, videoPublishedAt: coerceDateTime }),
      status: coerceObject({ privacyStatus: coerceText }),
    }),
  ),
  nextPageToken: coerceText,
});
export type PlaylistItemWire = z.output<typeof playlistItemListWire>["items"][number];

export const videoListWire = coerceObject({
  items: coerceList(
    coerceObject({
      id: coerceId,
      snippet: coerceObject({
        channelId: coerceId,
        title: coerceText,
        description: coerceText,
        publishedAt: coerceDateTime,
      }),
      status: coerceObject({ uploadStatus: coerceText, privacyStatus: coerceText }),
      statistics: coerceObject({ viewCount: coerceCount, likeCount: coerceCount, commentCount: coerceCount }),
    }),
  ),
});
export type VideoWire = z.output<typeof videoListWire>["items"][number];
