import { moveConnection } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "./grants.ts";

/** The provider reported that the grant has ended, or its credential has expired: a reconnect is required. */
export function markGrantRevoked(world: World, connection: Connection, appRemoved: boolean): void {
  const now = world.now();
  const status = moveConnection(connection.status, connection.status === "SUSPENDED" ? "RECHECK_FAILED" : "GRANT_LOST");
  const grant = grantOfConnection(world, connection.id);
  if (grant !== null) Object.assign(grant, { status: "GONE", updatedAt: now });
  Object.assign(connection, {
    ...(status === null ? {} : { status, suspendedByJobId: null }),
    ...(appRemoved ? { appRemovedAt: now } : {}),
    nextRetryAt: null,
    nextScanAt: null,
    nextProfileAt: null,
    updatedAt: now,
  } satisfies Partial<Connection>);
}
