import {
  type ApiKeyInput,
  AppError,
  accepted,
  adminKeyText,
  decideApiKeyUse,
  decideMintApiKey,
  decideRevokeApiKey,
  INVALID_ADMIN_KEY,
  isKeyActive,
  notFound,
  parseAdminKey,
} from "@social-connect/domain";
import type { AdminKey } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew, type KeyActor, type PanelActor } from "../admin/actor.ts";
import { NEWEST_FIRST, type PageRequest, pageOf } from "../admin/page.ts";
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

export function mintApiKey(
  world: World,
  actor: PanelActor,
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

export function revokeApiKey(world: World, actor: AdminActor, id: string): AdminKey {
  const key = accepted(world.state.adminKeys.get(id.toLowerCase()) ?? notFound("The key"));
  const change = accepted(decideRevokeApiKey(key, world.now()));
  if (change !== null) recordAudit(world, actor, change.audit);
  return Object.assign(key, change?.patch);
}

export function listApiKeys(world: World, page: PageRequest) {
  const newestFirst = [...world.state.adminKeys.values()].toReversed();
  return pageOf(world, newestFirst, page, { binding: ["apiKeys"], ...NEWEST_FIRST });
}
