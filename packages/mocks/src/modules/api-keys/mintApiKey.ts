import { type ApiKeyInput, adminKeyText, decideMintApiKey } from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { acceptedNew } from "../admin/acceptedNew.ts";
import type { SessionActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";

/** Mints a key for the signed-in admin. */
export function mintApiKey(
  world: World,
  actor: SessionActor,
  input: ApiKeyInput,
): { readonly apiKey: AdminKey; readonly key: string } {
  const { members, adminKeys } = world.state;
  const all = [...adminKeys.values()];
  const admin = members.get(actor.memberId) ?? null;
  const facts = { admin, keys: all.filter((key) => key.memberId === actor.memberId), mode: world.settings.mode };
  const { patch, audit } = acceptedNew(world, (id) => decideMintApiKey(facts, input, id, world.now()));
  const secret = world.newSecret();
  const apiKey: AdminKey = {
    ...patch,
    order: (all.at(-1)?.order ?? 0) + 1,
    secretHash: sha256Hex(secret),
    firstUsedAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  adminKeys.set(apiKey.id, apiKey);
  recordAudit(world, actor, audit);
  return { apiKey, key: adminKeyText({ keyId: apiKey.id, secret }) };
}
