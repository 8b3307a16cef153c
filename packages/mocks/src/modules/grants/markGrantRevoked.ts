import { moveConnection } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { grantOfConnection } from "./grants.ts";

/** The provider's word, or a credential past its end: only the person can mend it. */
export function loseGrant(world: World, connection: Connection, appRemoved: boolean): void {
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
