import { type DisconnectCode, LIMITS } from "@social-connect/contract";
import {
  AppError,
  type AuditChange,
  type ConnectionFilter,
  changesOf,
  type DisconnectResult,
  decideDisconnect,
  disconnectResult,
  isDisconnected,
  type SubjectScope,
  type Touched,
  touchedChanges,
} from "@social-connect/domain";
import { type Connection, Prisma } from "../../_generated/prisma/client.ts";
import { limitLockWait, lockAllUntilCommit } from "../../platform/database/locks.ts";
import { newId } from "../../platform/ids.ts";
import type { ErasureRecord } from "../../platform/log/telemetry.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/checkKey.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { changeConnection } from "../connections/changeConnection.ts";
import { lockConnection, siblingLocks } from "../connections/locks.ts";
import { connectionNotFound } from "../connections/readConnection.ts";
import { findConnectionOfScope } from "../connections/scope.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** How long a disconnect waits for operations that connect accounts of the same users. */
const LOCK_TIMEOUT_MS = 2_000;
/** PostgreSQL's lock_not_available, as the driver adapter reports it. */
const LOCK_NOT_AVAILABLE = /55P03|lock timeout/;

/**
 * Stops access and enqueues the revoke and erase jobs in one transaction. Idempotent: repeated calls return the same
 * jobs until the connection is erased. If several accounts can share a grant, their connections are suspended until the
 * revoke has settled. Source: service description, part 4, disconnectConnection.
 */
export async function disconnectConnection(
  service: Service,
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
): Promise<DisconnectResult> {
  enforceTenant(service, caller.application, scope.tenantKey, "NOT_FOUND");
  const id = asUuid(connectionId);
  const found = id === null ? null : await findConnectionOfScope(service.prisma, caller.application.id, scope, id);
  if (found === null) throw connectionNotFound();
  return disconnect(service, found, "BY_APPLICATION");
}

/**
 * Disconnects a connection on behalf of its application, an operator or the provider. `record` writes in the transaction that
 * disconnects it, for example an audit entry.
 */
export async function disconnect(
  service: Service,
  found: Connection,
  by: DisconnectCode,
  record?: (transaction: Transaction, now: Date, changes: readonly AuditChange[]) => Promise<void>,
): Promise<DisconnectResult> {
  if (isDisconnected(found.status)) return readResult(service.prisma, found);
  const now = await service.clock.now();
  let isNew = false;
  try {
    const result = await service.prisma.$transaction(async (transaction) => {
      await limitLockWait(transaction, LOCK_TIMEOUT_MS);
      await lockAllUntilCommit(transaction, siblingLocks(found, found));
      const connection = await lockConnection(transaction, found);
      if (connection === null) throw connectionNotFound();
      const change = decideDisconnect(connection, { revoke: newId(), erase: newId() }, now);
      if (change === null) return readResult(transaction, connection);
      const touched = record && (await measureChange(transaction, connection, change));
      // The account can be connected again before the erasure.
      const data = { ...change.patch, liveAccountId: null };
      const ended = await changeConnection(service, transaction, connection, data, now, by);
      await applyFollowUps(service, transaction, connection.applicationId, change.followUps, now);
      const changes = changesOf({ status: connection.status }, { status: ended.status });
      await record?.(transaction, now, [...changes, ...touchedChanges(touched ?? {})]);
      isNew = true;
      return readResult(transaction, ended);
    });
    if (isNew) service.telemetry.erasure("requested", erasureOf(found));
    return result;
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && LOCK_NOT_AVAILABLE.test(error.message))) throw error;
    // A concurrent call may have disconnected this connection.
    const current = await service.prisma.connection.findUnique({ where: keyOf(found) });
    if (current !== null && isDisconnected(current.status)) return readResult(service.prisma, current);
    throw busy();
  }
}

/** What a disconnect of a connection would touch, by the decision that makes it. Workers erase the posts later. */
export async function measureDisconnect({ prisma, clock }: Service, key: RowKey): Promise<Touched> {
  const connection = await prisma.connection.findUnique({ where: keyOf(key) });
  const change = connection && decideDisconnect(connection, { revoke: newId(), erase: newId() }, await clock.now());
  return connection === null || change === null ? {} : measureChange(prisma, connection, change);
}

type FollowUps = NonNullable<ReturnType<typeof decideDisconnect>>["followUps"];

const suspendedBy = (followUps: FollowUps): ConnectionFilter[] =>
  followUps.flatMap((followUp) => (followUp.type === "SUSPEND" ? [followUp.connections] : []));

/** Which other connections the disconnects of these suspend: those that their revocations may end. */
export function suspendedByDisconnects(connections: readonly Connection[], now: Date): ConnectionFilter[] {
  return connections.flatMap((connection) => {
    const change = decideDisconnect(connection, { revoke: newId(), erase: newId() }, now);
    return suspendedBy(change?.followUps ?? []);
  });
}

async function measureChange(
  client: Service["prisma"] | Transaction,
  { id, applicationId }: Connection,
  { followUps }: { readonly followUps: FollowUps },
): Promise<Touched> {
  const suspended = suspendedBy(followUps);
  return {
    connections: 1,
    posts: await client.contentItem.count({ where: { connectionId: id, applicationId } }),
    ...(suspended.length > 0 && { suspendedConnections: await client.connection.count({ where: { OR: suspended } }) }),
  };
}

function erasureOf({ id: connectionId, applicationId, provider }: Connection): ErasureRecord {
  return { connectionId, applicationId, provider };
}

async function readResult(client: Service["prisma"] | Transaction, connection: Connection): Promise<DisconnectResult> {
  const { revokeJobId, applicationId } = connection;
  const where = keyOf({ id: revokeJobId ?? "", applicationId });
  const revoke = await client.job.findUniqueOrThrow({ where });
  return disconnectResult(connection, revoke);
}

function busy(): AppError {
  return new AppError({
    code: "RATE_LIMITED",
    message: "Other connects for this subject are in progress. Nothing changed. Retry the disconnect.",
    retryAfterSeconds: LIMITS.disconnectRaceRetryAfterSeconds,
  });
}
