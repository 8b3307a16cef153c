import type { World } from "../../world/world.ts";
import { type PageRequest, pageOf } from "../admin/page.ts";

/** Clients sorted by slug; with a search text, only clients whose slug or display name contains it, ignoring case. */
export function listClients(world: World, text: string | null, page: PageRequest) {
  const wanted = text?.toLowerCase() ?? "";
  const rows = [...world.state.applications.values()]
    .filter(({ slug, displayName }) => [slug, displayName].some((name) => name.toLowerCase().includes(wanted)))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  const found = pageOf(world, rows, page, {
    binding: ["clients", text ?? ""],
    positionOf: ({ slug }) => slug,
    isAfter: ({ slug }, position) => slug > position,
  });
  return { ...found, totalCount: rows.length };
}
