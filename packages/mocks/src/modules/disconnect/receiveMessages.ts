import {
  authorizationRemoved,
  dataDeletionRequested,
  decideDeauthorization,
  isConsentSince,
  isDisconnected,
} from "@social-connect/domain";
import type { Account } from "../../providers/accounts.ts";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { SYSTEM } from "../admin/actor.ts";
import { applicationOf } from "../applications/authenticate.ts";
import { recordAudit } from "../audit/audit.ts";
import { patchConnection } from "../events/recordEvents.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { applyFollowUps } from "./applyFollowUps.ts";
import { endConnection } from "./disconnectConnection.ts";

/** Handles a provider's callback or webhook that a person removed the app. The account's connections lose their grants. */
export function receiveDeauthorization(world: World, { provider, accountId }: Account, removedAt: Date): void {
  for (const connection of world.state.connections.values()) {
    if (connection.provider !== provider || connection.providerAccountId !== accountId) continue;
    const facts = { connection, grant: grantOfConnection(world, connection.id) };
    const change = decideDeauthorization(facts, removedAt, world.newId(), world.now());
    if (typeof change === "string") continue;
    patchConnection(world, connection, change.patch, "AUTHORIZATION_REMOVED");
    applyFollowUps(world, change.followUps);
    const { slug } = applicationOf(world, connection.applicationId);
    recordAudit(world, SYSTEM, authorizationRemoved({ ...connection, clientSlug: slug }, []));
  }
}

/**
 * Handles a provider's request to delete a person's data: disconnects and erases every connection of the account, in all
 * applications, except those with a later consent. Returns the confirmation code; null if every consent is later.
 */
export function receiveDataDeletion(world: World, { provider, accountId }: Account, requestedAt: Date): string | null {
  const now = world.now();
  const isKept = ({ id, status }: Connection) => {
    const grant = grantOfConnection(world, id);
    return !isDisconnected(status) && grant !== null && isConsentSince(grant, requestedAt);
  };
  const held = [...world.state.connections.values()].filter(
    (one) => one.provider === provider && one.providerAccountId === accountId,
  );
  const concerned = held.filter((one) => !isKept(one));
  if (held.length > 0 && concerned.length === 0) return null;
  for (const connection of concerned) {
    if (isDisconnected(connection.status)) continue;
    endConnection(world, connection, "AT_PROVIDER");
    const { slug } = applicationOf(world, connection.applicationId);
    recordAudit(world, SYSTEM, dataDeletionRequested({ ...connection, clientSlug: slug }, []));
  }
  const code = world.newId().replaceAll("-", "");
  world.state.dataDeletions.set(code, { requestedAt: now, connectionIds: concerned.map(({ id }) => id) });
  return code;
}
