import { AppError, decideApiKeyUse, INVALID_ADMIN_KEY, isKeyActive, parseAdminKey } from "@social-connect/domain";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { KeyActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";

/**
 * Authenticates the caller. A missing, malformed, unknown, wrong, expired or revoked key, and a key of a removed admin, all
 * fail with the same UNAUTHENTICATED. The first successful call is audited. Source: service description, part 5.
 */
export function authenticateAdminKey(world: World, authorization: string | null): KeyActor {
  const key = parseAdminKey(authorization);
  const row = key === null ? undefined : world.state.adminKeys.get(key.keyId);
  const now = world.now();
  const isValid = row?.secretHash === sha256Hex(key?.secret ?? "") && isKeyActive(row, now);
  if (row === undefined || !isValid || !world.state.members.has(row.memberId)) {
    throw new AppError(INVALID_ADMIN_KEY);
  }
  const actor: KeyActor = { via: "key", keyId: row.id, scope: row.scope };
  const use = decideApiKeyUse(row, now);
  if (use?.audit) recordAudit(world, actor, use.audit);
  Object.assign(row, use?.patch);
  return actor;
}
