import type { ContentFields } from "@social-connect/domain";
import { CONTENT_FIELDS } from "@social-connect/domain";

/** The columns of `content_item` with the fields that a provider gives. Writing, reading and expiry all use this list. */
export const CONTENT_COLUMNS: readonly { readonly field: keyof ContentFields; readonly column: string }[] =
  CONTENT_FIELDS.map((field) => ({ field, column: field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) }));
