import type { SubjectScope } from "@social-connect/domain";
import type { Connection } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { isOfScope } from "../connect/attempts.ts";

/** The connection, when it belongs to the application and scope. */
export function findConnectionOfScope(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  id: string,
): Connection | null {
  const connection = world.state.connections.get(id);
  return connection?.applicationId === applicationId && isOfScope(connection, scope) ? connection : null;
}
