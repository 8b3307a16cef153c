import { LIMITS } from "@social-connect/contract";
import {
  AUDITED,
  applicationKeyText,
  checkApplicationKeyLifetime,
  checkNewApplicationKey,
  keyExpiry,
} from "@social-connect/domain";
import type { ApplicationKey } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { ConflictError, enforceInput, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";
import { lockClient, readClient } from "./changeClient.ts";

/** An application key as the admin schema shows it. */
export function credentialView({ id, ...key }: ApplicationKey) {
  return { keyId: id, ...key };
}

/** Issues an application key, whose text is given out here and never again. KEY_LIMIT for a third active one. */
export function issueCredential(world: World, actor: SessionActor, clientId: string, expiresInDays: number | null) {
  enforceInput("expiresInDays", checkApplicationKeyLifetime(expiresInDays));
  const client = lockClient(world, clientId);
  const now = world.now();
  const limit = checkNewApplicationKey(keysOf(world, client.id), now);
  if (limit !== null) {
    throw new ConflictError(limit, `The client has ${LIMITS.activeApplicationKeys} active keys: revoke one first.`);
  }
  const [keyId, secret] = [world.newId(), world.newSecret()];
  const credential: ApplicationKey = {
    id: keyId,
    applicationId: client.id,
    secretHash: sha256Hex(secret),
    createdAt: now,
    expiresAt: expiresInDays === null ? null : keyExpiry(now, expiresInDays),
    lastUsedAt: null,
    revokedAt: null,
  };
  world.state.applicationKeys.set(keyId, credential);
  recordAudit(world, {
    actor,
    ...AUDITED.applicationKeyIssued(keyId, expiresInDays),
    target: { type: "CLIENT", id: client.id },
    clientSlug: client.slug,
  });
  return { credential: credentialView(credential), key: applicationKeyText({ keyId, secret }) };
}

/** Ends an application key at its next call. One that was revoked before stays as it is. */
export function revokeCredential(world: World, actor: AdminActor, clientId: string, keyId: string) {
  const client = lockClient(world, clientId);
  const key = keysOf(world, client.id).find((one) => one.id === keyId.toLowerCase());
  if (key === undefined) throw new NotFoundError("The application key");
  if (key.revokedAt === null) {
    key.revokedAt = world.now();
    recordAudit(world, {
      actor,
      ...AUDITED.applicationKeyRevoked(key.id),
      target: { type: "CLIENT", id: client.id },
      clientSlug: client.slug,
    });
  }
  return credentialView(key);
}

/** The client's keys, the newest first, the dead ones too. Never a secret. */
export function listCredentials(world: World, clientId: string) {
  return keysOf(world, readClient(world, clientId).id).toReversed().map(credentialView);
}

function keysOf(world: World, applicationId: string): ApplicationKey[] {
  return [...world.state.applicationKeys.values()].filter((key) => key.applicationId === applicationId);
}
