import { isKeyActive } from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { NotFoundError } from "../admin/errors.ts";
import type { PageRequest } from "../admin/page.ts";
import { NEWEST_FIRST, pageOf } from "../admin/page.ts";

/** All admin keys, the newest first, the dead ones too. Never a secret. */
export function listApiKeys(world: World, page: PageRequest) {
  return pageOf(world, newestFirst(world), page, { binding: ["apiKeys"], ...NEWEST_FIRST });
}

export function readApiKey(world: World, id: string): AdminKey {
  const key = world.state.adminKeys.get(id.toLowerCase());
  if (key === undefined) throw new NotFoundError("The key");
  return key;
}

/** What dies with an admin's removal. */
export function listActiveKeysOf(world: World, memberId: string): AdminKey[] {
  const now = world.now();
  return newestFirst(world).filter((key) => key.memberId === memberId.toLowerCase() && isKeyActive(key, now));
}

function newestFirst(world: World): AdminKey[] {
  return [...world.state.adminKeys.values()].toReversed();
}
