import { z } from "zod";
import {
  coerceBoolean,
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

/** The parts of TikTok Login Kit and Display API v2 responses that are used. Missing keys are null. */

export const tokenWire = coerceObject({
  access_token: coerceString,
  token_type: coerceString,
  expires_in: coerceNumber,
  refresh_token: coerceString,
  refresh_expires_in: coerceNumber,
  /** Separated by spaces or commas; empty means that nothing was granted, missing means unknown. */
  scope: z.unknown(),
  open_id: coerceId,
});

export const userInfoWire = coerceObject({
  data: coerceObject({
    user: coerceObject({
      open_id: coerceId,
      display_name: coerceName,
      avatar_url: coerceUrl,
      username: coerceName,
      bio_description: coerceString,
      profile_deep_link: coerceUrl,
    }),
  }),
});
export type UserWire = z.output<typeof userInfoWire>["data"]["user"];

const requiredFields = { id: coerceId, create_time: coerceTime };
const optionalFields = {
  title: coerceString,
  video_description: coerceString,
  cover_image_url: coerceUrl,
  share_url: coerceString,
};
const metricFields = {
  view_count: coerceCount,
  like_count: coerceCount,
  comment_count: coerceCount,
  share_count: coerceCount,
};

/** The values of `fields` for what is read of a video: an answer holds only the fields that the request names. */
const required = Object.keys(requiredFields);
export const VIDEO: Fields = { required, optional: Object.keys(optionalFields) };
export const VIDEO_WITH_METRICS: Fields = { required, optional: Object.keys({ ...optionalFields, ...metricFields }) };
export const ACCOUNT_ID: Fields = { required: ["open_id"], optional: [] };
export const BASIC_PROFILE: Fields = { required: ["open_id"], optional: ["display_name", "avatar_url"] };
export const PROFILE: Fields = {
  required: ["open_id"],
  optional: [...BASIC_PROFILE.optional, "username", "bio_description", "profile_deep_link"],
};

const video = coerceObject({ ...requiredFields, ...optionalFields, ...metricFields });
export type VideoWire = z.output<typeof video>;

/** `video/list` and `video/query`; the latter has neither cursor nor has_more. */
export const videosWire = coerceObject({
  data: coerceObject({
    videos: coerceList(video),
    /** Documented as UTC milliseconds. */
    cursor: coerceTime,
    has_more: coerceBoolean,
  }),
});
