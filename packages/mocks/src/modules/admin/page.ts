import { ADMIN_PAGE, type CursorQuery } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { openCursor, sealCursor } from "../cursor.ts";

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** One page of sorted rows. `isAfter` compares a row with the position of a cursor. */
export function pageOf<Row>(
  world: World,
  rows: readonly Row[],
  { first, after }: PageRequest,
  list: {
    /** The list's name and filters, to which its cursors are bound. */
    readonly binding: CursorQuery;
    readonly positionOf: (row: Row) => string;
    readonly isAfter: (row: Row, position: string) => boolean;
  },
) {
  const size = first ?? ADMIN_PAGE.default;
  const [position] = after == null ? [] : openCursor(world, list.binding, after);
  const open = position === undefined ? rows : rows.filter((row) => list.isAfter(row, position));
  const items = open.slice(0, size);
  const last = items.at(-1);
  const endCursor = last === undefined ? null : sealCursor(world, list.binding, [list.positionOf(last)]);
  return { items, pageInfo: { endCursor, hasNextPage: open.length > size } };
}

/** Sorts a numbered list newest first. */
export const NEWEST_FIRST = {
  positionOf: ({ order }: { readonly order: number }) => String(order),
  isAfter: ({ order }: { readonly order: number }, position: string) => order < Number(position),
};
