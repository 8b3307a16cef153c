import type { DisconnectCode } from "@social-connect/contract";
import { type DisconnectResult, decideDisconnect, disconnectResult, type SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { findConnection } from "../connections/access.ts";
import { patchConnection } from "../events/recordEvents.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Stops access immediately and starts the revoke and erase jobs; a repeated call returns the same jobs until the connection
 * is erased. Source: service description, part 4, disconnectConnection.
 */
export function disconnectConnection(
  world: World,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
): DisconnectResult {
  enforceTenant(world, caller.application, scope.tenantKey, "NOT_FOUND");
  const connection = findConnection(world, caller, scope, connectionId);
  endConnection(world, connection, "BY_APPLICATION");
  const revoke = world.state.jobs.get(connection.revokeJobId ?? "");
  if (revoke === undefined) throw new Error("A disconnected connection has no revoke receipt.");
  return disconnectResult(connection, revoke);
}

export function endConnection(world: World, connection: Connection, by: DisconnectCode): void {
  const change = decideDisconnect(connection, { revoke: world.newId(), erase: world.newId() }, world.now());
  if (change === null) return;
  patchConnection(world, connection, change.patch, by);
  applyFollowUps(world, change.followUps);
}
