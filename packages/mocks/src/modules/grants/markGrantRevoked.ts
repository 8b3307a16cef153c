import { decideGrantRevoked, type UpdateGrant } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "./grants.ts";

/** The provider reported that the grant has ended, or its credential has expired: a reconnect is required. */
export function markGrantRevoked(world: World, connection: Connection, appRemoved: boolean): void {
  const { patch, followUps } = decideGrantRevoked(connection, appRemoved, world.now());
  for (const followUp of followUps) updateGrant(world, followUp);
  Object.assign(connection, patch);
}

export function updateGrant(world: World, { connectionId, patch }: UpdateGrant): void {
  const grant = grantOfConnection(world, connectionId);
  if (grant !== null) Object.assign(grant, patch);
}
