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
export type MediaWire = z.output<typeof mediaWire>;

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
