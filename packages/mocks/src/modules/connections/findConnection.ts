import { isSameScope, type SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";

/** The connection, when it belongs to the application and scope. */
export function findConnectionOfScope(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  id: string,
): Connection | null {
  const connection = world.state.connections.get(id);
  return connection?.applicationId === applicationId && isSameScope(connection, scope) ? connection : null;
}
