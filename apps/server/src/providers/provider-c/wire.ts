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

/** The parts of Instagram API responses that are used. Missing keys are null. */

/** Short-lived, long-lived and renewed tokens. */
export const tokenWire = coerceObject({
  access_token: coerceString,
  token_type: coerceString,
  expires_in: coerceNumber,
  user_id: coerceId,
  /** Separated by commas, or a list. */
  permissions: z.unknown(),
});

/** The values of `fields`. Without the time of a post nothing shows whether it is in a window. */
export const ACCOUNT: Fields = { required: ["id", "user_id"], optional: [] };
export const PROFILE: Fields = { ...ACCOUNT, optional: ["username", "name", "biography", "profile_picture_url"] };
export const MEDIA: Fields = {
  required: ["id", "timestamp"],
  optional: ["caption", "media_type", "permalink", "shortcode", "thumbnail_url"],
};
export const MEDIA_WITH_COUNTS: Fields = { ...MEDIA, optional: [...MEDIA.optional, "like_count", "comments_count"] };

export const accountWire = coerceObject({
  /** Scoped to the application. */
  id: coerceId,
  /** The account itself. */
  user_id: coerceId,
  username: coerceName,
  name: coerceName,
  biography: coerceString,
  profile_picture_url: coerceUrl,
});
export type AccountWire = z.output<typeof accountWire>;

export const mediaWire = coerceObject({
  id: coerceId,
  caption: coerceString,
  media_type: coerceString,
  permalink: coerceString,
  shortcode: coerceString,
  thumbnail_url: coerceUrl,
  timestamp: coerceTime,
  like_count: coerceCount,
  comments_count: coerceCount,
});
export type MediaWire = z.output<typeof mediaWire> & {
  /** Fields that the provider refused, whose absence says nothing about the post. */
  readonly refused?: readonly string[];
};

export const mediaListWire = coerceObject({
  data: coerceList(mediaWire),
  paging: coerceObject({
    cursors: coerceObject({ after: coerceString }),
    /** Contains the access token: only its presence and `after` are read; it is never followed, stored or logged. */
    next: coerceString,
  }),
});

export const insightsWire = coerceObject({
  data: coerceList(
    coerceObject({
      name: coerceString,
      values: coerceList(coerceObject({ value: coerceCount })),
      total_value: coerceObject({ value: coerceCount }),
    }),
  ),
});

const errorFields = coerceObject({
  code: coerceNumber,
  error_subcode: coerceNumber,
  type: coerceString,
  message: coerceString,
  is_transient: coerceBoolean.transform((value) => value === true),
});

/** `{error: {…}}` of the graph, and `{error_type, code, error_message}` of the sign-in. */
export const errorWire = coerceObject({
  error: errorFields,
  error_type: coerceString,
  code: coerceNumber,
  error_message: coerceString,
});
