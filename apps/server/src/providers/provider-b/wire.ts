import { z } from "zod";
import {
  coerceAddress,
  coerceCount,
  coerceEpochSeconds,
  coerceFlag,
  coerceId,
  coerceList,
  coerceNumber,
  coerceObject,
  coerceText,
} from "../coerce.ts";

/** Answers of TikTok Login Kit and the Display API v2, as far as they are read. Keys that are missing are null. */

export const tokenWire = coerceObject({
  access_token: coerceText,
  token_type: coerceText,
  expires_in: coerceNumber,
  refresh_token: coerceText,
  refresh_expires_in: coerceNumber,
  /** Text with spaces or commas; an empty one says that nothing was granted, a missing one says nothing. */
  scope: z.unknown(),
  open_id: coerceId,
});

export const userInfoWire = coerceObject({
  data: coerceObject({
    user: coerceObject({
      open_id: coerceId,
      display_name: coerceText,
      avatar_url: coerceAddress,
      username: coerceText,
      bio_description: coerceText,
      profile_deep_link: coerceAddress,
    }),
  }),
});
export type UserWire = z.output<typeof userInfoWire>["data"]["user"];

const video = coerceObject({
  id: coerceId,
  title: coerceText,
  video_description: coerceText,
  create_time: coerceEpochSeconds,
  cover_image_url: coerceAddress,
  share_url: coerceText,
  view_count: coerceCount,
  like_count: coerceCount,
  comment_count: coerceCount,
  share_count: coerceCount,
});
export type VideoWire = z.output<typeof video>;

/** `video/list` and `video/query`; the latter has neither cursor nor has_more. */
export const videosWire = coerceObject({
  data: coerceObject({
    videos: coerceList(video),
    /** UTC milliseconds. */
    cursor: coerceNumber,
    has_more: coerceFlag,
  }),
});
