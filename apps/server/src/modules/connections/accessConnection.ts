import type { Capability } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";
import { AppError, checkContentAccess, enforce, UNKNOWN_CONNECTION } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import type { AccessRow } from "./accessRow.ts";
import { recheck } from "./accessRow.ts";
import { findAccessRow } from "./store.ts";

export interface AccessedConnection {
  readonly connection: AccessRow;
  readonly now: Date;
}

/**
 * Loads the connection for a content operation. It must be in the caller's scope, be CONNECTED, pass the re-check, and
 * have one of the needed capabilities. Throws the codes of `checkContentAccess`.
 */
export async function accessConnection(
  service: Service,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
  needed: readonly Capability[],
): Promise<AccessedConnection> {
  const find = (id: string) => findAccessRow(service.pool, caller.application.id, scope, id);
  const [connection, now] = await loadConnection(service, connectionId, find);
  enforce(checkContentAccess(connection, needed, recheck(connection, caller, now)));
  return { connection, now };
}

/** Finds a connection, and the time to judge it at. Throws NOT_FOUND. */
export async function loadConnection<Row>(
  service: Service,
  connectionId: string,
  find: (id: string) => Promise<Row | null>,
): Promise<readonly [Row, Date]> {
  const id = asUuid(connectionId);
  const [row, now] = await Promise.all([id === null ? null : find(id), service.clock.now()]);
  if (row === null) throw connectionNotFound();
  return [row, now];
}

export function connectionNotFound(): AppError {
  return new AppError(UNKNOWN_CONNECTION);
}
