import { idsFrom } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import { type PageRequest, pageOf } from "../admin/page.ts";

/** Clients sorted by slug; with a search text, only those whose slug or display name contains it, or whose id begins so. */
export function listClients(world: World, text: string | null, page: PageRequest) {
  const wanted = text?.toLowerCase() ?? "";
  const [first, last] = idsFrom(wanted) ?? ["", ""];
  const hasId = (id: string) => first <= id && id <= last;
  const rows = [...world.state.applications.values()]
    .filter((one) => hasId(one.id) || [one.slug, one.displayName].some((name) => name.toLowerCase().includes(wanted)))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  const found = pageOf(world, rows, page, {
    binding: ["clients", text ?? ""],
    positionOf: ({ slug }) => slug,
    isAfter: ({ slug }, position) => slug > position,
  });
  return { ...found, totalCount: rows.length };
}
