import {
  type ConnectionFilter,
  causeOfStatus,
  connectionEvent,
  type GrantedConnection,
  type GrantFollowUp,
  isSettled,
  jobEvent,
  QUEUED_JOB,
} from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { jobOrigin } from "../../platform/call/trail.ts";
import { newId } from "../../platform/ids.ts";
import { cancelReconnects } from "../connect/abandonAttempt.ts";
import { scopeHash } from "../connections/scope.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { updateGrant } from "../grants/markGrantRevoked.ts";
import { beginRevocation, endRevocation } from "../revocations/providerRevocations.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

const IN_FLIGHT = { in: ["QUEUED", "RUNNING"] } satisfies Prisma.EnumJobStatusFilter;

/** Applies changes of other records that follow in the application. */
export async function applyFollowUps(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  followUps: readonly GrantFollowUp[],
  now: Date,
): Promise<void> {
  for (const followUp of followUps) await apply(service, transaction, applicationId, followUp, now);
}

async function apply(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  followUp: GrantFollowUp,
  now: Date,
): Promise<void> {
  switch (followUp.type) {
    case "UPDATE_GRANT":
      return updateGrant(transaction, applicationId, followUp);
    case "CREATE_RECEIPT": {
      const { id, kind, connection, ended } = followUp;
      const columns = jobColumns(connection, now);
      const job = await transaction.job.create({ data: { ...columns, id, kind, ...QUEUED_JOB, ...ended } });
      if (ended !== null) return recordEvents(service, transaction, now, [jobEvent(job, connection)]);
      return service.queue.enqueue(transaction, kind === "REVOKE" ? "revoke" : "erase", { id, applicationId });
    }
    case "CANCEL_JOBS": {
      const { connectionId, patch } = followUp;
      const work: Prisma.JobWhereInput = { connectionId, kind: { notIn: ["REVOKE", "ERASE"] }, status: IN_FLIGHT };
      await transaction.job.updateMany({ where: { applicationId, ...work }, data: patch });
      return;
    }
    case "CANCEL_RECONNECTS":
      return cancelReconnects(transaction, applicationId, followUp, now);
    case "BEGIN_REVOCATION":
      return beginRevocation(transaction, followUp.revocation);
    case "END_REVOCATION":
      return endRevocation(transaction, { id: followUp.id, applicationId }, now);
    case "SUSPEND":
      await transaction.revokeSettlement.create({ data: followUp.settlement });
      return suspend(service, transaction, followUp, now);
    case "RECHECK":
      return enqueueRechecks(service, transaction, inApplication(followUp.connections, applicationId), now);
    case "DELETE_SETTLEMENT":
      return deleteSettlement(transaction, { id: followUp.revokeJobId, applicationId });
    case "RESUME_ERASURE": {
      const { jobId: id } = followUp;
      const { count } = await transaction.job.updateMany({
        where: { id, applicationId, status: "QUEUED" },
        data: { nextRetryAt: null },
      });
      // A running erasure checks the revoke's status before it waits.
      if (count > 0) await service.queue.enqueue(transaction, "erase", { id, applicationId });
    }
  }
}

/** The filter selects connected ones only, so each of them changes. */
async function suspend(
  service: Service,
  transaction: Transaction,
  { connections, patch }: Extract<GrantFollowUp, { type: "SUSPEND" }>,
  now: Date,
): Promise<void> {
  const data = { ...patch, ...causeOfStatus("CONNECTED", "SUSPENDED", null, now) };
  const suspended = await transaction.connection.updateManyAndReturn({ where: connections, data });
  const events = suspended.map((connection) => connectionEvent("CONNECTED", connection, null));
  await recordEvents(service, transaction, now, events);
}

function jobColumns(connection: GrantedConnection, now: Date) {
  const { id, applicationId, provider } = connection;
  const owner = { applicationId, connectionId: id, scopeHash: scopeHash(id, connection), provider };
  return { ...owner, ...jobOrigin(), createdAt: now };
}

/** A revoke suspends connections of the same application. Other filters name theirs, or select in other applications. */
function inApplication(connections: ConnectionFilter, applicationId: string): ConnectionFilter {
  return connections.suspendedByJobId === undefined ? connections : { applicationId, ...connections };
}

/** Enqueues a re-check of each connection, unless one is queued or running. */
async function enqueueRechecks(
  service: Service,
  transaction: Transaction,
  where: ConnectionFilter,
  now: Date,
): Promise<void> {
  for (const connection of await transaction.connection.findMany({ where, orderBy: { id: "asc" } })) {
    const { applicationId } = connection;
    const inFlight = { applicationId, connectionId: connection.id, kind: "RECHECK", status: IN_FLIGHT } as const;
    if ((await transaction.job.count({ where: inFlight })) > 0) continue;
    const columns = jobColumns(connection, now);
    const data = { ...columns, id: newId(), kind: "RECHECK", ...QUEUED_JOB, background: true } as const;
    const { id } = await transaction.job.create({ data });
    await service.queue.enqueue(transaction, "recheck", { id, applicationId });
  }
}

/** Lets the scope connect again once the revoke has settled. */
async function deleteSettlement(transaction: Transaction, revokeJob: RowKey): Promise<void> {
  const { id: revokeJobId, applicationId } = revokeJob;
  const revoke = await transaction.job.findUnique({ where: keyOf(revokeJob), select: { status: true } });
  const suspended = await transaction.connection.count({
    where: { applicationId, suspendedByJobId: revokeJobId, status: "SUSPENDED" },
  });
  if (!isSettled(revoke?.status ?? null, suspended)) return;
  await transaction.revokeSettlement.deleteMany({ where: { revokeJobId, applicationId } });
}

/** Locks the settlement record, so that the last two concurrent re-checks see each other's changes. */
export async function lockSettlement(transaction: Transaction, { id, applicationId }: RowKey): Promise<void> {
  await transaction.$queryRaw`
    SELECT 1 FROM revoke_settlement
     WHERE revoke_job_id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
}
