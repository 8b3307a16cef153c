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

/** Answers of the Instagram API with Instagram Login, as far as they are read. Keys that are missing are null. */

/** Short-lived, long-lived and renewed tokens alike. */
export const tokenWire = lenientObject({
  access_token: lenientText,
  token_type: lenientText,
  expires_in: lenientNumber,
  user_id: lenientId,
  /** Text with commas, or a list. */
  permissions: z.unknown(),
});

export const accountWire = lenientObject({
  /** Scoped to the application. */
  id: lenientId,
  /** The account itself. */
  user_id: lenientId,
  username: lenientText,
  name: lenientText,
  biography: lenientText,
  profile_picture_url: lenientAddress,
});
export type AccountWire = z.output<typeof accountWire>;

export const mediaWire = lenientObject({
  id: lenientId,
  caption: lenientText,
  media_type: lenientText,
  permalink: lenientText,
  shortcode: lenientText,
  thumbnail_url: lenientAddress,
  timestamp: lenientDateTime,
  like_count: lenientCount,
  comments_count: lenientCount,
});
export type MediaWire = z.output<typeof mediaWire>;

export const mediaListWire = lenientObject({
  data: lenientList(mediaWire),
  paging: lenientObject({
    cursors: lenientObject({ after: lenientText }),
    /** Holds the access token: read for its presence and its `after`, never followed, stored or logged. */
    next: lenientText,
  }),
});

export const insightsWire = lenientObject({
  data: lenientList(
    lenientObject({
      name: lenientText,
      values: lenientList(lenientObject({ value: lenientCount })),
      total_value: lenientObject({ value: lenientCount }),
    }),
  ),
});

const lenientErrorFields = lenientObject({
  code: lenientNumber,
  error_subcode: lenientNumber,
  type: lenientText,
  message: lenientText,
  is_transient: z.unknown().transform((value) => value === true),
});

/** `{error: {…}}` of the graph, and `{error_type, code, error_message}` of the sign-in. */
export const errorWire = lenientObject({
  error: lenientErrorFields,
  error_type: lenientText,
  code: lenientNumber,
  error_message: lenientText,
});
