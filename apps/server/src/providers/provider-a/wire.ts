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

const videoParts = {
  snippet: coerceObject({
    channelId: coerceId,
    title: coerceString,
    description: coerceString,
    publishedAt: coerceTime,
  }),
  status: coerceObject({ uploadStatus: coerceString, privacyStatus: coerceString }),
};
const videoStatistics = {
  statistics: coerceObject({ viewCount: coerceCount, likeCount: coerceCount, commentCount: coerceCount }),
};

/** The values of `part` for what is read of a video: an answer holds only the parts that the request names. */
export const VIDEO_PARTS = Object.keys(videoParts).join(",");
export const STATISTICS_PARTS = Object.keys(videoStatistics).join(",");

export const videoListWire = coerceObject({
  items: coerceList(coerceObject({ id: coerceId, ...videoParts, ...videoStatistics })),
});
export type VideoWire = z.output<typeof videoListWire>["items"][number];
