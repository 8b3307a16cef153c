import { z } from "zod";
import {
  coerceCount,
  coerceId,
  coerceList,
  coerceName,
  coerceNumber,
  coerceObject,
  coerceString,
  coerceTime,
  coerceUrl,
} from "../coerce.ts";
import type { Fields } from "../optionalFields.ts";

/** The parts of Google OAuth 2.0 and YouTube Data API v3 responses that are used. Missing keys are null. */

export const tokenWire = coerceObject({
  access_token: coerceString,
  token_type: coerceString,
  expires_in: coerceNumber,
  refresh_token: coerceString,
  /** Present while the consent screen is in testing. */
  refresh_token_expires_in: coerceNumber,
  /** Separated by spaces or commas; empty means that nothing was granted, missing means unknown. */
  scope: z.unknown(),
});

const thumbnail = coerceObject({ url: coerceUrl });

export const channelListWire = coerceObject({
  items: coerceList(
    coerceObject({
      id: coerceId,
      snippet: coerceObject({
        title: coerceName,
        description: coerceString,
        customUrl: coerceName,
        thumbnails: coerceObject({ default: thumbnail, medium: thumbnail, high: thumbnail }),
      }),
      contentDetails: coerceObject({ relatedPlaylists: coerceObject({ uploads: coerceString }) }),
    }),
  ),
});
export type ChannelWire = z.output<typeof channelListWire>["items"][number];

export const playlistItemListWire = coerceObject({
  items: coerceList(
    coerceObject({
      snippet: coerceObject({
        title: coerceString,
        description: coerceString,
        publishedAt: coerceTime,
        resourceId: coerceObject({ videoId: coerceId }),
      }),
      contentDetails: coerceObject({ videoId: coerceId, videoPublishedAt: coerceTime }),
      status: coerceObject({ privacyStatus: coerceString }),
    }),
  ),
  nextPageToken: coerceId,
});
export type PlaylistItemWire = z.output<typeof playlistItemListWire>["items"][number];

/** The values of `part`: an answer holds only the parts that the request names. */
export const CHANNEL_ID: Fields = { required: ["id"], optional: [] };
export const CHANNEL_UPLOADS: Fields = { required: ["id", "contentDetails"], optional: [] };
export const CHANNEL_PROFILE: Fields = { required: ["id"], optional: ["snippet"] };
export const PLAYLIST_ITEM: Fields = { required: ["contentDetails"], optional: ["snippet", "status"] };
export const VIDEO: Fields = { required: ["snippet"], optional: ["status"] };
export const VIDEO_WITH_METRICS: Fields = { required: ["snippet"], optional: ["status", "statistics"] };

export const videoListWire = coerceObject({
  items: coerceList(
    coerceObject({
      id: coerceId,
      snippet: coerceObject({
        channelId: coerceId,
        title: coerceString,
        description: coerceString,
        publishedAt: coerceTime,
      }),
      status: coerceObject({ uploadStatus: coerceString, privacyStatus: coerceString }),
      statistics: coerceObject({ viewCount: coerceCount, likeCount: coerceCount, commentCount: coerceCount }),
    }),
  ),
});
export type VideoWire = z.output<typeof videoListWire>["items"][number];
