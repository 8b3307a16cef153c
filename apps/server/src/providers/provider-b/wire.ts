import { z } from "zod";
import {
  lenientAddress,
  lenientCount,
  lenientEpochSeconds,
  lenientFlag,
  lenientId,
  lenientList,
  lenientNumber,
  lenientObject,
  lenientText,
} from "../lenient.ts";

/** Answers of TikTok Login Kit and the Display API v2, as far as they are read. Keys that are missing are null. */

export const tokenWire = lenientObject({
  access_token: lenientText,
  token_type: lenientText,
  expires_in: lenientNumber,
  refresh_token: lenientText,
  refresh_expires_in: lenientNumber,
  /** Text with spaces or commas; an empty one says that nothing was granted, a missing one says nothing. */
  scope: z.unknown(),
  open_id: lenientId,
});

export const userInfoWire = lenientObject({
  data: lenientObject({
    user: lenientObject({
      open_id: lenientId,
      display_name: lenientText,
      avatar_url: lenientAddress,
      username: lenientText,
      bio_description: lenientText,
      profile_deep_link: lenientAddress,
    }),
  }),
});
export type UserWire = z.output<typeof userInfoWire>["data"]["user"];

const video = lenientObject({
  id: lenientId,
  title: lenientText,
  video_description: lenientText,
  create_time: lenientEpochSeconds,
  cover_image_url: lenientAddress,
  share_url: lenientText,
  view_count: lenientCount,
  like_count: lenientCount,
  comment_count: lenientCount,
  share_count: lenientCount,
});
export type VideoWire = z.output<typeof video>;

/** `video/list` and `video/query`; the latter has neither cursor nor has_more. */
export const videosWire = lenientObject({
  data: lenientObject({
    videos: lenientList(video),
    /** UTC milliseconds. */
    cursor: lenientNumber,
    has_more: lenientFlag,
  }),
});
