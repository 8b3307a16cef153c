import { AUDITED } from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { readApiKey } from "./readApiKeys.ts";

/** Ends a key, anybody's. One that was revoked before stays as it is. */
export function revokeApiKey(world: World, actor: AdminActor, id: string): AdminKey {
  const key = readApiKey(world, id);
  if (key.revokedAt !== null) return key;
  key.revokedAt = world.now();
  recordAudit(world, {
    actor,
    ...AUDITED.apiKeyRevoked(key),
    target: { type: "API_KEY", id: key.id },
  });
  return key;
}
