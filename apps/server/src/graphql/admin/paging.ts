import { isStorableText } from "@social-connect/domain";
import { z } from "zod";
import { ADMIN_PAGE } from "../../modules/admin/page.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";

export const PageInfo = builder
  .objectRef<{ readonly endCursor: string | null; readonly hasNextPage: boolean }>("PageInfo")
  .implement({
    description: "The position of a page in a list.",
    fields: (t) => ({
      endCursor: t.exposeString("endCursor", orNull("The `after` of the next page; null on the last page.")),
      hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether another page follows." }),
    }),
  });

/** The arguments of every list. */
export const PAGE_ARGUMENTS = builder.args((t) => ({
  first: t.int({ description: `Page size: 1 to ${ADMIN_PAGE.max}, ${ADMIN_PAGE.default} by default.` }),
  after: t.string({ description: "`endCursor` of the previous page." }),
}));

/** Any string that can be stored can be searched for. */
export const searchText = z
  .string()
  .max(256, "The search string must have at most 256 characters.")
  .refine(isStorableText, "The search string contains characters that cannot be stored.");

export function pageRequest({
  first,
  after,
}: {
  first?: number | null | undefined;
  after?: string | null | undefined;
}) {
  return { first: first ?? null, after: after ?? null };
}
