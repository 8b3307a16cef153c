import { z } from "zod";
import {
  lenientAddress,
  lenientCount,
  lenientDateTime,
  lenientId,
  lenientList,
  lenientNumber,
  lenientObject,
  lenientText,
} from "../lenient.ts";

/** Answers of Google OAuth 2.0 and the YouTube Data API v3, as far as they are read. Keys that are missing are null. */

export const tokenWire = lenientObject({
  access_token: lenientText,
  token_type: lenientText,
  expires_in: lenientNumber,
  refresh_token: lenientText,
  /** Text with spaces or commas; an empty one says that nothing was granted, a missing one says nothing. */
  scope: z.unknown(),
});

const thumbnail = lenientObject({ url: lenientAddress });

export const channelListWire = lenientObject({
  items: lenientList(
    lenientObject({
      id: lenientId,
      snippet: lenientObject({
        title: lenientText,
        description: lenientText,
        customUrl: lenientText,
        thumbnails: lenientObject({ default: thumbnail, medium: thumbnail, high: thumbnail }),
      }),
      contentDetails: lenientObject({ relatedPlaylists: lenientObject({ uploads: lenientText }) }),
    }),
  ),
});
export type ChannelWire = z.output<typeof channelListWire>["items"][number];

export const playlistItemListWire = lenientObject({
  items: lenientList(
    lenientObject({
      snippet: lenientObject({
        title: lenientText,
        publishedAt: lenientDateTime,
        resourceId: lenientObject({ videoId: lenientId }),
      }),
      contentDetails: lenientObject({ videoId: lenientId, videoPublishedAt: lenientDateTime }),
      status: lenientObject({ privacyStatus: lenientText }),
    }),
  ),
  nextPageToken: lenientText,
});
export type PlaylistItemWire = z.output<typeof playlistItemListWire>["items"][number];

export const videoListWire = lenientObject({
  items: lenientList(
    lenientObject({
      id: lenientId,
      snippet: lenientObject({
        channelId: lenientId,
        title: lenientText,
        description: lenientText,
        publishedAt: lenientDateTime,
      }),
      status: lenientObject({ uploadStatus: lenientText, privacyStatus: lenientText }),
      statistics: lenientObject({ viewCount: lenientCount, likeCount: lenientCount, commentCount: lenientCount }),
    }),
  ),
});
export type VideoWire = z.output<typeof videoListWire>["items"][number];
