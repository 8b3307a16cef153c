import { accepted, isKeyActive, notFound } from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { NEWEST_FIRST, type PageRequest, pageOf } from "../admin/page.ts";

/** All admin API keys, active or not, newest first. */
export function listApiKeys(world: World, page: PageRequest) {
  return pageOf(world, newestFirst(world), page, { binding: ["apiKeys"], ...NEWEST_FIRST });
}

export function readApiKey(world: World, id: string): AdminKey {
  return accepted(world.state.adminKeys.get(id.toLowerCase()) ?? notFound("The key"));
}

/** The active keys of an admin, which are revoked when the admin is removed. */
export function listActiveKeysOf(world: World, memberId: string): AdminKey[] {
  const now = world.now();
  return newestFirst(world).filter((key) => key.memberId === memberId.toLowerCase() && isKeyActive(key, now));
}

function newestFirst(world: World): AdminKey[] {
  return [...world.state.adminKeys.values()].toReversed();
}
