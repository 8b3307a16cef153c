import { connectionAsRead, enforce, recheckViolation, type SubjectScope } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { findConnection, recheck, withOffered } from "./access.ts";

/**
 * One connection. A CONNECTED connection is checked first and fails with the code of the check. Source: service
 * description, part 3, rules 1 to 3.
 */
export function readConnection(world: World, caller: Caller, scope: SubjectScope, connectionId: string) {
  const connection = findConnection(world, caller, scope, connectionId);
  const code = connection.status === "CONNECTED" ? recheck(world, connection, caller.application) : null;
  if (code !== null) enforce(recheckViolation(code));
  const { id, provider, providerAccountId } = connection;
  return { id, provider, providerAccountId, ...connectionAsRead(withOffered(world, connection), world.now()) };
}
