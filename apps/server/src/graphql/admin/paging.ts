import { isStorableText } from "@social-connect/domain";
import { z } from "zod";
import { ADMIN_PAGE } from "../../modules/admin/page.ts";
import { builder } from "./builder.ts";

export const PageInfo = builder
  .objectRef<{ readonly endCursor: string | null; readonly hasNextPage: boolean }>("PageInfo")
  .implement({
    fields: (t) => ({
      endCursor: t.exposeString("endCursor", { nullable: true, description: "`after` of the next page." }),
      hasNextPage: t.exposeBoolean("hasNextPage"),
    }),
  });

export const FIRST = `1 to ${ADMIN_PAGE.max}, ${ADMIN_PAGE.default} when absent.`;
export const AFTER = "The endCursor of the page before.";

/** Text to look for: whatever can be stored can be found. */
export const searchText = z.string().max(256).refine(isStorableText, "The text holds what cannot be stored.");

export function pageRequest({
  first,
  after,
}: {
  first?: number | null | undefined;
  after?: string | null | undefined;
}) {
  return { first: first ?? null, after: after ?? null };
}
