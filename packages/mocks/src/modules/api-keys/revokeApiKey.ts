import { accepted, decideRevokeApiKey } from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { readApiKey } from "./readApiKeys.ts";

/** Ends any admin's key at its next call. */
export function revokeApiKey(world: World, actor: AdminActor, id: string): AdminKey {
  const key = readApiKey(world, id);
  const change = accepted(decideRevokeApiKey(key, world.now()));
  if (change !== null) recordAudit(world, actor, change.audit);
  return Object.assign(key, change?.patch);
}
