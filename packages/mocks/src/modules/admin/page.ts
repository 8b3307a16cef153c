import type { World } from "../../world/world.ts";
import { openCursor, sealCursor } from "../cursor.ts";
import { InvalidInputError } from "./errors.ts";

export interface PageRequest {
  readonly first: number | null;
  readonly after: string | null;
}

const MOST = 100;
const DEFAULT = 50;

/** One page of rows that stand in their order. `isAfter` tells whether a row comes after the place that a cursor names. */
export function pageOf<Row>(
  world: World,
  rows: readonly Row[],
  { first, after }: PageRequest,
  list: {
    /** What a cursor belongs to: the list's name and its filters. */
    readonly binding: readonly string[];
    readonly placeOf: (row: Row) => string;
    readonly isAfter: (row: Row, place: string) => boolean;
  },
) {
  const size = first ?? DEFAULT;
  if (size < 1 || size > MOST) throw new InvalidInputError("first", `first must be 1 to ${MOST}`);
  const [place] = after === null ? [] : openCursor(world, list.binding, after);
  const open = place === undefined ? rows : rows.filter((row) => list.isAfter(row, place));
  const items = open.slice(0, size);
  const last = items.at(-1);
  const endCursor = last === undefined ? null : sealCursor(world, list.binding, [list.placeOf(last)]);
  return { items, pageInfo: { endCursor, hasNextPage: open.length > size } };
}

/** The order of lists that are numbered as they grow, the newest first. */
export const NEWEST_FIRST = {
  placeOf: ({ order }: { readonly order: number }) => String(order),
  isAfter: ({ order }: { readonly order: number }, place: string) => order < Number(place),
};
