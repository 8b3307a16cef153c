import { decideApiKeyUse, isKeyActive, parseAdminKey } from "@social-connect/domain";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { KeyActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";

/**
 * Finds who calls. UNAUTHENTICATED, the same for a missing, malformed, unknown, wrong, expired or revoked key and for one
 * whose admin was removed. The first call that gets through is in the audit. Source: service description, part 5.
 */
export function authenticateAdminKey(world: World, authorization: string | null): KeyActor {
  const key = parseAdminKey(authorization);
  const row = key === null ? undefined : world.state.adminKeys.get(key.keyId);
  const now = world.now();
  const isGood = row?.secretHash === sha256Hex(key?.secret ?? "") && isKeyActive(row, now);
  if (row === undefined || !isGood || !world.state.members.has(row.memberId)) {
    throw new ServiceError({ code: "UNAUTHENTICATED", message: "A valid admin key is required." });
  }
  const actor: KeyActor = { via: "key", keyId: row.id, scope: row.scope };
  const use = decideApiKeyUse(row, now);
  if (use?.audit) recordAudit(world, actor, use.audit);
  Object.assign(row, use?.patch);
  return actor;
}
