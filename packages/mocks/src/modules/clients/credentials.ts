import { accepted, applicationKeyText, decideIssueCredential, decideRevokeCredential } from "@social-connect/domain";
import type { ApplicationKey } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew, type PanelActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { lockClient, readClient } from "./changeClient.ts";

function credentialView({ id, ...key }: ApplicationKey) {
  return { keyId: id, ...key };
}

export function issueCredential(world: World, actor: PanelActor, clientId: string, expiresInDays: number | null) {
  const client = lockClient(world, clientId);
  const keys = keysOf(world, client?.id);
  const { patch, audit } = acceptedNew(world, (id) =>
    decideIssueCredential({ client, keys }, { id, expiresInDays }, world.now()),
  );
  const secret = world.newSecret();
  const credential: ApplicationKey = { ...patch, secretHash: sha256Hex(secret), lastUsedAt: null, revokedAt: null };
  world.state.applicationKeys.set(credential.id, credential);
  recordAudit(world, actor, audit);
  return { credential: credentialView(credential), key: applicationKeyText({ keyId: credential.id, secret }) };
}

export function revokeCredential(world: World, actor: AdminActor, clientId: string, keyId: string) {
  const client = lockClient(world, clientId);
  const key = keysOf(world, client?.id).find((one) => one.id === keyId.toLowerCase()) ?? null;
  const change = accepted(decideRevokeCredential(client, key, world.now()));
  if (change !== null) recordAudit(world, actor, change.audit);
  return credentialView(Object.assign(key as ApplicationKey, change?.patch));
}

export function listCredentials(world: World, clientId: string) {
  return keysOf(world, readClient(world, clientId).id).toReversed().map(credentialView);
}

function keysOf(world: World, applicationId: string | undefined): ApplicationKey[] {
  return [...world.state.applicationKeys.values()].filter((key) => key.applicationId === applicationId);
}
