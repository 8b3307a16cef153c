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

/** Answers of the Instagram API with Instagram Login, as far as they are read. Keys that are missing are null. */

/** Short-lived, long-lived and renewed tokens alike. */
export const tokenWire = coerceObject({
  access_token: coerceText,
  token_type: coerceText,
  expires_in: coerceNumber,
  user_id: coerceId,
  /** Text with commas, or a list. */
  permissions: z.unknown(),
});

export const accountWire = coerceObject({
  /** Scoped to the application. */
  id: coerceId,
  /** The account itself. */
  user_id: coerceId,
  username: coerceText,
  name: coerceText,
  biography: coerceText,
  profile_picture_url: coerceAddress,
});
export type AccountWire = z.output<typeof accountWire>;

export const mediaWire = coerceObject({
  id: coerceId,
  caption: coerceText,
  media_type: coerceText,
  permalink: coerceText,
  shortcode: coerceText,
  thumbnail_url: coerceAddress,
  timestamp: coerceDateTime,
  like_count: coerceCount,
  comments_count: coerceCount,
});
export type MediaWire = z.output<typeof mediaWire>;

export const mediaListWire = coerceObject({
  data: coerceList(mediaWire),
  paging: coerceObject({
    cursors: coerceObject({ after: coerceText }),
    /** Holds the access token: read for its presence and its `after`, never followed, stored or logged. */
    next: coerceText,
  }),
});

export const insightsWire = coerceObject({
  data: coerceList(
    coerceObject({
      name: coerceText,
      values: coerceList(coerceObject({ value: coerceCount })),
      total_value: coerceObject({ value: coerceCount }),
    }),
  ),
});

const errorFields = coerceObject({
  code: coerceNumber,
  error_subcode: coerceNumber,
  type: coerceText,
  message: coerceText,
  is_transient: z.unknown().transform((value) => value === true),
});

/** `{error: {…}}` of the graph, and `{error_type, code, error_message}` of the sign-in. */
export const errorWire = coerceObject({
  error: errorFields,
  error_type: coerceText,
  code: coerceNumber,
  error_message: coerceText,
});
