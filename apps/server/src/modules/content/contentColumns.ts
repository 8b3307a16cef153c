import type { ContentFields } from "@social-connect/domain";
import { CONTENT_FIELDS, EXPIRED_CONTENT } from "@social-connect/domain";

/** The columns of `content_item` with the fields that a provider gives. Writing, reading and expiry all use this list. */
export const CONTENT_COLUMNS: readonly { readonly field: keyof ContentFields; readonly column: string }[] =
  CONTENT_FIELDS.map((field) => ({ field, column: field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) }));

/**
 * `observed_at` is in no index, because every observation changes it. Indexes have `observed_since` instead: a time not after
 * `observed_at`, which only inserts and the sweep `expireContent` write. An expired post has the time of its observation
 * there, for its observation is its last; a post of an earlier version of the service has -infinity. These are the
 * conditions of the two indexes of a connection, and must equal theirs.
 */
export const CONTENT_IS_EXPIRED = `reason = '${EXPIRED_CONTENT.reason}'`;
/** Posts that are not expired, or whose `observed_since` was not written yet. */
export const CONTENT_IS_OPEN = `(reason IS DISTINCT FROM '${EXPIRED_CONTENT.reason}' OR observed_since = '-infinity')`;
