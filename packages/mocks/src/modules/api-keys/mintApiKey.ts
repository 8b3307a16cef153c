import type { AdminKeyScope } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import {
  AUDITED,
  adminKeyText,
  checkAdminKeyLabel,
  checkAdminKeyLifetime,
  checkNewAdminKey,
  keyExpiry,
} from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { SessionActor } from "../admin/actor.ts";
import { ConflictError, enforceInput } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";

/** Mints a key for the signed-in member, who has just confirmed who they are; its text is given out here and never again. */
export function mintApiKey(
  world: World,
  actor: SessionActor,
  input: { readonly label: string; readonly scope: AdminKeyScope; readonly lifetimeDays: number },
): { readonly apiKey: AdminKey; readonly key: string } {
  const { label, scope, lifetimeDays } = input;
  enforceInput("label", checkAdminKeyLabel(label));
  enforceInput("lifetimeDays", checkAdminKeyLifetime(lifetimeDays, world.settings.mode));
  const now = world.now();
  const all = [...world.state.adminKeys.values()];
  const limit = checkNewAdminKey(
    all.filter((key) => key.memberId === actor.memberId),
    now,
  );
  if (limit !== null) throw new ConflictError(limit, `You have ${LIMITS.activeAdminKeys} active keys already.`);
  const [id, secret] = [world.newId(), world.newSecret()];
  const apiKey: AdminKey = {
    id,
    order: (all.at(-1)?.order ?? 0) + 1,
    memberId: actor.memberId,
    createdBy: actor.email,
    label,
    scope,
    secretHash: sha256Hex(secret),
    createdAt: now,
    expiresAt: keyExpiry(now, lifetimeDays),
    firstUsedAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  world.state.adminKeys.set(id, apiKey);
  recordAudit(world, {
    actor,
    ...AUDITED.apiKeyMinted(input),
    target: { type: "API_KEY", id },
  });
  return { apiKey, key: adminKeyText({ keyId: id, secret }) };
}
