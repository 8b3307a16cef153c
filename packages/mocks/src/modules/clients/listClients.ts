import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type PageRequest, pageOf } from "../admin/page.ts";

export interface ClientListOrder {
  readonly orderBy?: keyof typeof VALUES | null;
  readonly descending?: boolean | null;
}

const VALUES = {
  SLUG: ({ slug }: Application) => slug,
  NAME: ({ displayName }: Application) => displayName,
  CREATED: ({ createdAt }: Application) => createdAt.getTime(),
  UPDATED: ({ updatedAt }: Application) => updatedAt.getTime(),
};

function compare<Value extends string | number>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Clients sorted by slug, or in another order; with a search text, only clients whose slug or display name contains it, ignoring case. */
export function listClients(world: World, text: string | null, page: PageRequest, order: ClientListOrder = {}) {
  const wanted = text?.toLowerCase() ?? "";
  const { orderBy, descending } = { orderBy: order.orderBy ?? "SLUG", descending: order.descending ?? false };
  const rows = [...world.state.applications.values()]
    .filter(({ slug, displayName }) => [slug, displayName].some((name) => name.toLowerCase().includes(wanted)))
    .sort((one, other) => compare(VALUES[orderBy](one), VALUES[orderBy](other)) || compare(one.slug, other.slug));
  const sorted = descending ? rows.toReversed() : rows;
  const places = new Map(sorted.map(({ slug }, place) => [slug, place]));
  const found = pageOf(world, sorted, page, {
    binding: ["clients", text ?? "", orderBy, String(descending)],
    positionOf: ({ slug }) => slug,
    isAfter: ({ slug }, position) => (places.get(slug) ?? 0) > (places.get(position) ?? 0),
  });
  return { ...found, totalCount: rows.length };
}
