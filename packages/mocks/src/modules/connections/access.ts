import type { Capability, ErrorCode } from "@social-connect/contract";
import {
  AppError,
  asAskedFor,
  asUuid,
  checkContentAccess,
  connectionAsRead,
  credentialEndsAt,
  enforce,
  isSameScope,
  type Refusal,
  recheckConnection,
  recheckViolation,
  type ServedFrom,
  type SubjectScope,
  UNKNOWN_CONNECTION,
} from "@social-connect/domain";
import type { Application, Connection } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { registrationOf, servesApplication } from "../registrations/findRegistration.ts";

export function findConnectionOfScope(
  world: World,
  applicationId: string,
  scope: SubjectScope,
  id: string,
): Connection | null {
  const connection = world.state.connections.get(asUuid(id) ?? "");
  return connection?.applicationId === applicationId && isSameScope(connection, scope) ? connection : null;
}

/** Rule 1 of part 3 of the service description, for a stored connection. */
export function recheck(world: World, connection: Connection, application: Application): ErrorCode | null {
  const grant = grantOfConnection(world, connection.id);
  const registration = world.state.registrations.get(connection.registrationId) ?? null;
  return recheckConnection(
    {
      connection,
      application,
      grant: grant && { active: grant.status === "ACTIVE", refreshExpiresAt: credentialEndsAt(grant) },
      registration: registration && {
        status: registration.status,
        servesApplication: servesApplication(registration, application.id),
      },
    },
    world.now(),
  );
}

export function withOffered<Row extends Connection>(world: World, connection: Row): Row & ServedFrom {
  const { capabilities } = registrationOf(world, connection.registrationId);
  return { ...connection, offeredCapabilities: capabilities };
}

export function checkAccess(
  world: World,
  connection: Connection,
  needed: readonly Capability[],
  recheckCode: ErrorCode | null,
): Refusal | null {
  return checkContentAccess(withOffered(world, connection), needed, recheckCode);
}

export function findConnection(world: World, caller: Caller, scope: SubjectScope, connectionId: string): Connection {
  const connection = findConnectionOfScope(world, caller.application.id, scope, connectionId);
  if (connection !== null) return connection;
  enforceTenant(world, caller.application, scope.tenantKey, "NOT_FOUND");
  throw new AppError(UNKNOWN_CONNECTION);
}

/**
 * The connection that a read at the provider works on, once everything allows it: in the caller's scope, CONNECTED or ended by
 * refusals, past the re-check, and granted one of the needed capabilities. Throws the codes of `checkContentAccess`.
 */
export function accessConnection(
  world: World,
  caller: Caller,
  { scope, connectionId }: { readonly scope: SubjectScope; readonly connectionId: string },
  needed: readonly Capability[],
): Connection {
  const connection = findConnection(world, caller, scope, connectionId);
  enforce(checkAccess(world, asAskedFor(connection), needed, recheck(world, connection, caller.application)));
  return connection;
}

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
