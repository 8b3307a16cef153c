import type { ObjectRef } from "@pothos/core";
import { queryFromInfo } from "@pothos/plugin-prisma";
import { ADMIN_PAGE } from "@social-connect/domain";
import type { GraphQLResolveInfo } from "graphql";
import type { Page } from "../../modules/admin/page.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder, type Types } from "./builder.ts";
import type { AdminContext } from "./context.ts";

export const PageInfo = builder
  .objectRef<{ readonly endCursor: string | null; readonly hasNextPage: boolean }>("PageInfo")
  .implement({
    description: "The position of a page in a list.",
    fields: (t) => ({
      endCursor: t.exposeString(
        "endCursor",
        orNull("Where the page ends: the `after` of the next page. Null if the page is empty."),
      ),
      hasNextPage: t.exposeBoolean("hasNextPage", { description: "Whether another page follows." }),
    }),
  });

/** A page of a list. */
export function pageType<Item>(name: string, description: string, item: ObjectRef<Types, Item>) {
  return builder.objectRef<Page<Item>>(name).implement({
    description,
    fields: (t) => ({
      items: t.expose("items", { type: [item] }),
      pageInfo: t.expose("pageInfo", { type: PageInfo }),
    }),
  });
}

/** The arguments of every list. */
export const PAGE_ARGUMENTS = builder.args((t) => ({
  first: t.int({ description: `Page size: 1 to ${ADMIN_PAGE.max}, ${ADMIN_PAGE.default} by default.` }),
  after: t.string({ description: "`endCursor` of the previous page." }),
}));

/** The query for the rows in a result: the columns that the list itself needs, and what the document selects of each row. */
export function shownRows<Columns extends Record<string, true | { select: Record<string, true> }>>(
  context: AdminContext,
  info: GraphQLResolveInfo,
  select: Columns,
  field = "items",
) {
  return queryFromInfo({ context, info, select, path: [field] }) as { readonly select: Columns };
}
