import type { Capability, SocialProvider } from "@social-connect/contract";
import {
  AppError,
  type ApplicationPolicy,
  asAskedFor,
  type ConnectionView,
  checkContentAccess,
  connectionAsRead,
  enforce,
  recheckViolation,
  type SubjectScope,
  UNKNOWN_CONNECTION,
  UNREGISTERED_TENANT,
} from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { withTenantRemedy } from "../applications/explainTenant.ts";
import type { Found, Reader } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import { type AccessRow, recheck, type StoredProfile, viewRow } from "./accessRow.ts";
import { findAccessRow, findViewRow } from "./store.ts";

/**
 * Loads the connection for a read at the provider. It must be in the caller's scope, be CONNECTED or have been ended by
 * refusals, pass the re-check, and have one of the needed capabilities. Throws the codes of `checkContentAccess`.
 */
export async function accessConnection(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
  needed: readonly Capability[],
) {
  const find = (id: string, now: Date) => findAccessRow(service, reader, scope, id, now);
  const found = await loadConnection(service, connectionId, find);
  enforceContentAccess({ ...found, row: asAskedFor(found.row) }, scope, needed);
  return { connection: found.row, now: found.now };
}

/** A connection that was found, its application's policy, and the time to judge both at. */
export interface LoadedConnection<Row> {
  readonly row: Row;
  readonly policy: ApplicationPolicy;
  readonly now: Date;
}

/** Finds a connection. Throws NOT_FOUND. */
export async function loadConnection<Row>(
  service: Service,
  connectionId: string,
  find: (id: string, now: Date) => Promise<Found<Row>>,
): Promise<LoadedConnection<Row>> {
  const id = asUuid(connectionId);
  if (id === null) throw connectionNotFound();
  const now = await service.clock.now();
  const { row, policy } = await find(id, now);
  if (row !== null) return { row, policy, now };
  // Nothing is found for an unregistered tenant either.
  const isRegistered = policy.tenantKeys.length > 0;
  throw isRegistered ? connectionNotFound() : new AppError(withTenantRemedy(service, UNREGISTERED_TENANT.NOT_FOUND));
}

/** Throws the codes of `checkContentAccess`. */
export function enforceContentAccess(
  { row, policy, now }: LoadedConnection<AccessRow>,
  { tenantKey }: SubjectScope,
  needed: readonly Capability[],
): void {
  enforce(checkContentAccess(row, needed, recheck(row, tenantKey, policy, now)));
}

export function connectionNotFound(): AppError {
  return new AppError(UNKNOWN_CONNECTION);
}

export interface ConnectionShown extends ConnectionView<StoredProfile> {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

/**
 * Returns a connection. Re-checks a CONNECTED one first and fails with the re-check's code. Source: service
 * description, part 3, rules 1 to 3.
 */
export async function readConnection(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
): Promise<ConnectionShown> {
  const find = (id: string, at: Date) => findViewRow(service, reader, scope, id, at);
  const { row, policy, now } = await loadConnection(service, connectionId, find);
  const code = row.status === "CONNECTED" ? recheck(row, scope.tenantKey, policy, now) : null;
  if (code !== null) enforce(recheckViolation(code));
  const { provider, providerAccountId } = row;
  return { id: row.id, provider, providerAccountId, ...connectionAsRead(viewRow(row, now), now) };
}
