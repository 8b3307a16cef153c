import { accountRevocationKeys, latestRemovedGrant, moveConnection } from "@social-connect/domain";
import type { Account } from "../../providers/accounts.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { recordRevocation } from "../grants/revocations.ts";

/**
 * Handles a provider's callback that a person removed the app. The account's connections lose their grants, and a later
 * disconnect has nothing to revoke.
 */
export function receiveDeauthorization(world: World, { provider, accountId }: Account, removedAt: Date): void {
  const now = world.now();
  const latest = latestRemovedGrant(removedAt, now);
  for (const connection of world.state.connections.values()) {
    if (connection.provider !== provider || connection.providerAccountId !== accountId) continue;
    const grant = grantOfConnection(world, connection.id);
    if (grant === null || grant.updatedAt > latest) continue;
    recordRevocation(
      world,
      { ...connection, id: world.newId(), keys: accountRevocationKeys(connection) },
      { isEnded: true },
    );
    Object.assign(grant, { status: "GONE", updatedAt: now });
    const status = moveConnection(connection.status, "GRANT_LOST") ?? connection.status;
    Object.assign(connection, { status, appRemovedAt: now, updatedAt: now });
  }
}
