import { ADMIN_PAGE, type CursorQuery } from "@social-connect/domain";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import type { Service } from "../service.ts";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/**
 * One page of a list that is ordered by `positionOf`. `load` receives the position to continue from and how many rows
 * to load: one more than shown, to detect the next page.
 */
export async function readPage<Item>(
  { secretBox }: Pick<Service, "secretBox">,
  { first, after }: PageRequest,
  list: {
    /** The binding of a cursor: the list's name and its filters. */
    readonly binding: CursorQuery;
    readonly positionOf: (item: Item) => readonly string[];
    readonly load: (after: readonly string[] | null, take: number) => Promise<readonly Item[]>;
  },
): Promise<Page<Item>> {
  const size = first ?? ADMIN_PAGE.default;
  const rows = await list.load(after == null ? null : openCursor(secretBox, list.binding, after), size + 1);
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return {
    items,
    pageInfo: {
      endCursor: last === undefined ? null : sealCursor(secretBox, list.binding, list.positionOf(last)),
      hasNextPage: rows.length > size,
    },
  };
}

/** The order of lists by time, newest first, and where to continue. */
export const NEWEST_FIRST = {
  positionOf: (at: Date, id: string): readonly string[] => [at.toISOString(), id],
  /** The time and id of a position. */
  read: ([at, id]: readonly string[]): { readonly at: Date; readonly id: string } => ({
    at: new Date(at ?? ""),
    id: id ?? "",
  }),
};
