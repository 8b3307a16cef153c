import type { ConnectCreatorAction } from "@social-connect/contract";
import { LIMITS } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";
import {
  checkSubjectScope,
  checkTenant,
  connectionRevocationKeys,
  immediateRevokeOutcome,
  isDisconnected,
  upstreamRevocationPending,
} from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { Prisma } from "../../_generated/prisma/client.ts";
import { AppError } from "../../platform/appError.ts";
import { newId } from "../../platform/ids.ts";
import { lockAllUntilCommit } from "../../platform/locks.ts";
import { enforce } from "../../platform/ruleViolation.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Caller } from "../applications/authenticate.ts";
import { cancelReconnectsOf } from "../connect/endAttempts.ts";
import { connectionNotFound } from "../connections/accessConnection.ts";
import { siblingLocks } from "../connections/locks.ts";
import { findConnectionOfScope, scopeHash } from "../connections/scope.ts";
import { beginRevocation } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";
import { siblingsOf } from "./siblingsOf.ts";

export interface DisconnectResult {
  readonly accepted: boolean;
  readonly connectionId: string;
  readonly upstreamRevocationPending: boolean;
  readonly revokeJobId: string;
  readonly eraseJobId: string;
  readonly creatorAction: ConnectCreatorAction | null;
}

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
  enforce(checkSubjectScope(scope));
  enforce(checkTenant(caller.application, scope.tenantKey, "NOT_FOUND"));
  const id = asUuid(connectionId);
  const found = id === null ? null : await findConnectionOfScope(service.prisma, caller.application.id, scope, id);
  if (found === null) throw connectionNotFound();
  if (isDisconnected(found.status)) return repeat(service.prisma, found);
  const now = await service.clock.now();
  try {
    return await service.prisma.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await lockAllUntilCommit(transaction, siblingLocks(found, found));
      await transaction.$queryRaw`SELECT 1 FROM connection WHERE id = ${found.id}::uuid FOR UPDATE`;
      const connection = await transaction.connection.findUnique({ where: { id: found.id } });
      if (connection === null) throw connectionNotFound();
      if (isDisconnected(connection.status)) return repeat(transaction, connection);
      return end(service, transaction, connection, now);
    });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && LOCK_NOT_AVAILABLE.test(error.message))) throw error;
    // A concurrent call may have disconnected this connection.
    const current = await service.prisma.connection.findUnique({ where: { id: found.id } });
    if (current !== null && isDisconnected(current.status)) return repeat(service.prisma, current);
    throw busy();
  }
}

async function repeat(client: Service["prisma"] | Transaction, connection: Connection): Promise<DisconnectResult> {
  const revoke = await client.job.findUniqueOrThrow({ where: { id: connection.revokeJobId ?? "" } });
  return resultOf(connection, revoke, connection.eraseJobId ?? "");
}

async function end(
  service: Service,
  transaction: Transaction,
  connection: Connection,
  now: Date,
): Promise<DisconnectResult> {
  const { traits } = service.provider(connection.provider);
  const receipt = {
    applicationId: connection.applicationId,
    connectionId: connection.id,
    scopeHash: scopeHash(connection.id, connection),
    provider: connection.provider,
    createdAt: now,
  };
  const immediate = immediateRevokeOutcome({
    canRevoke: traits.canRevoke,
    appRemoved: connection.appRemovedAt !== null,
  });
  const revoke = await transaction.job.create({
    data: {
      ...receipt,
      id: newId(),
      kind: "REVOKE",
      ...(immediate === null ? { status: "QUEUED" } : { ...immediate, startedAt: now, finishedAt: now }),
    },
  });
  const erase = await transaction.job.create({ data: { ...receipt, id: newId(), kind: "ERASE", status: "QUEUED" } });
  await transaction.connection.update({
    where: { id: connection.id },
    data: {
      status: "DISCONNECTED",
      liveAccountId: null,
      nextRetryAt: null,
      nextScanAt: null,
      nextProfileAt: null,
      suspendedByJobId: null,
      revokeJobId: revoke.id,
      eraseJobId: erase.id,
      updatedAt: now,
    },
  });
  await transaction.job.updateMany({
    where: { connectionId: connection.id, kind: { notIn: ["REVOKE", "ERASE"] }, status: { in: ["QUEUED", "RUNNING"] } },
    data: { status: "CANCELED", errorCode: "DISCONNECTED", nextRetryAt: null, finishedAt: now },
  });
  await cancelReconnectsOf(transaction, connection.id, now);
  await beginRevocation(transaction, {
    id: revoke.id,
    applicationId: connection.applicationId,
    provider: connection.provider,
    keys: connectionRevocationKeys(connection, traits),
    ...(immediate !== null && { endedAt: now }),
  });
  if (immediate === null) {
    if (traits.revokeAffectsSiblings) await suspendSiblings(transaction, connection, revoke.id, now);
    await service.queue.enqueue(transaction, "revoke", { id: revoke.id });
  }
  await service.queue.enqueue(transaction, "erase", { id: erase.id });
  return resultOf(connection, revoke, erase.id);
}

/** Until the revoke has settled, the scope cannot connect at the provider, and the siblings are suspended. */
async function suspendSiblings(
  transaction: Transaction,
  connection: Connection,
  revokeJobId: string,
  now: Date,
): Promise<void> {
  const { applicationId, provider, tenantKey, externalSubjectId } = connection;
  await transaction.revokeSettlement.create({
    data: { revokeJobId, applicationId, provider, tenantKey, externalSubjectId, createdAt: now },
  });
  await transaction.connection.updateMany({
    where: { ...siblingsOf(connection), status: "CONNECTED" },
    data: { status: "SUSPENDED", suspendedByJobId: revokeJobId, updatedAt: now },
  });
}

function resultOf(connection: Connection, revoke: Job, eraseJobId: string): DisconnectResult {
  return {
    accepted: true,
    connectionId: connection.id,
    upstreamRevocationPending: upstreamRevocationPending(revoke.status),
    revokeJobId: revoke.id,
    eraseJobId,
    creatorAction: revoke.creatorAction,
  };
}

function busy(): AppError {
  return new AppError({
    code: "RATE_LIMITED",
    message: "Other connects for this subject are in progress. Nothing changed. Retry the disconnect.",
    retryAfterSeconds: LIMITS.disconnectRaceRetryAfterSeconds,
  });
}
