import { addMs, RESUMED_WITHIN_MS, type WaitReason } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { ownedBy, type ShardGroup } from "../../platform/distribution/shardGroups.ts";
import { urgencyOf } from "../jobs/readJobs.ts";
import type { RowKey } from "../rowKey.ts";
import { type Service, type Transaction, taskOfKind } from "../service.ts";
import { type Batch, handleBatch, idsOf, skip, timestamp } from "../sweeps/sweep.ts";

/** The age at which a read fails at the latest. */
const OLDEST_MS = 48 * 3_600_000;
/** Processes store their counts some seconds late, and an incident begins with the minute in which its first failure was stored. */
const COUNTED_WITHIN_MS = 60_000;

/** What an incident interrupted that is over. */
export interface Interruption {
  /** Only what waits under this registration is moved. */
  readonly registrationId: string | null;
  readonly begunAt: Date;
  /** The code of the reads that failed. */
  readonly errorCode: string;
  /** What jobs waited for, or what those that failed could have waited for. */
  readonly waitReason: WaitReason;
}

/** A batch of a sweep that began at `now`. */
export interface ResumedPart {
  readonly now: Date;
  readonly limit: number;
  readonly failed: string[];
}

/**
 * Moves what an incident delayed to a time within ten minutes: first the jobs that wait, then the next reads of connections whose
 * read failed. What was moved is not found again; what another process has locked is.
 */
export async function resumeReads(
  service: Service,
  interruption: Interruption,
  { now, limit, failed }: ResumedPart,
): Promise<Batch> {
  const { prisma } = service;
  const until = addMs(now, RESUMED_WITHIN_MS);
  const others = (key: string) => skip(key, failed);
  // What waits for a limit keeps the time that the provider gave.
  const isLimit = interruption.waitReason === "RATE_LIMITED";
  const jobs = isLimit
    ? []
    : await prisma.$queryRaw<RowKey[]>`
    SELECT job.id, job.application_id AS "applicationId"
      FROM job JOIN connection ON connection.id = job.connection_id AND connection.application_id = job.application_id
     WHERE ${isWaiting(interruption, until)} AND ${isOf(interruption)} ${others("job.id")} LIMIT ${limit}`;
  if (jobs.length > 0) {
    const batch = await handleBatch(prisma, { rows: jobs, limit, failed }, (group) =>
      prisma.$transaction((transaction) => moveJobs(service, transaction, group, { interruption, now, until })),
    );
    return { ...batch, isLast: false };
  }
  const connections = await prisma.$queryRaw<RowKey[]>`
    SELECT DISTINCT connection.id, connection.application_id AS "applicationId"
      FROM job JOIN connection ON connection.id = job.connection_id AND connection.application_id = job.application_id
     WHERE job.status = 'FAILED' AND job.next_retry_at IS NULL
       AND job.created_at >= ${timestamp(addMs(interruption.begunAt, -OLDEST_MS))} AND ${hasFailed(interruption)}
       AND ${isOf(interruption)} AND connection.status = 'CONNECTED' AND (${isScanLater(interruption, until)} OR ${isProfileLater(until)})
       ${others("connection.id")} LIMIT ${limit}`;
  const batch = await handleBatch(prisma, { rows: connections, limit, failed }, (group) =>
    prisma.$transaction((transaction) => moveReads(service, transaction, group, { interruption, now, until })),
  );
  return { ...batch, isLast: connections.length === 0 };
}

function isOf({ registrationId }: Interruption): Prisma.Sql {
  return Prisma.sql`connection.registration_id = ${registrationId}::uuid`;
}

/** By the index on status and time. */
function isWaiting({ waitReason }: Interruption, until: Date): Prisma.Sql {
  return Prisma.sql`job.status = 'QUEUED' AND job.next_retry_at > ${timestamp(until)}
    AND job.wait_reason = ${waitReason}::wait_reason AND job.kind IN ('SCAN', 'PROFILE', 'METRICS', 'LOOKUP', 'RECHECK')`;
}

/** A job that failed because of it. */
function hasFailed({ begunAt, errorCode, waitReason }: Interruption): Prisma.Sql {
  return Prisma.sql`job.finished_at >= ${timestamp(addMs(begunAt, -COUNTED_WITHIN_MS))} AND job.error_code = ${errorCode}
    AND job.wait_reason = ${waitReason}::wait_reason`;
}

/** The conditions of connection and job with which the next scan or profile read is moved up. */
function isScanLater({ errorCode }: Interruption, until: Date): Prisma.Sql {
  return Prisma.sql`(job.kind = 'SCAN' AND connection.sync_status = 'FAILED' AND connection.scan_error_code = ${errorCode}
    AND connection.next_scan_at > ${timestamp(until)})`;
}

function isProfileLater(until: Date): Prisma.Sql {
  return Prisma.sql`(job.kind = 'PROFILE' AND connection.next_profile_at > ${timestamp(until)}
    AND (connection.profile_observed_at IS NULL OR connection.profile_observed_at < job.finished_at))`;
}

interface Moved {
  readonly interruption: Interruption;
  readonly now: Date;
  readonly until: Date;
}

/** Locks what no other process has locked, connections before their jobs. */
async function moveJobs(
  service: Service,
  transaction: Transaction,
  group: ShardGroup<RowKey>,
  { interruption, now, until }: Moved,
): Promise<number> {
  const owned = ownedBy(group);
  const locked = await transaction.$queryRaw<{ id: string; lastSuccessfulSyncAt: Date | null }[]>`
    SELECT id, last_successful_sync_at AS "lastSuccessfulSyncAt" FROM connection WHERE ${owned} AND ${isOf(interruption)}
       AND id IN (SELECT connection_id FROM job WHERE ${owned} AND id = ANY(${idsOf(group)}::uuid[])) FOR UPDATE SKIP LOCKED`;
  const ids = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM job WHERE ${owned} AND id = ANY(${idsOf(group)}::uuid[])
       AND connection_id = ANY(${locked.map(({ id }) => id)}::uuid[]) AND ${isWaiting(interruption, until)}
       FOR UPDATE SKIP LOCKED`;
  const jobs = await transaction.job.findMany({
    where: { applicationId: { in: [...group.applicationIds] }, id: { in: ids.map(({ id }) => id) } },
    select: { id: true, applicationId: true, connectionId: true, provider: true, kind: true, background: true },
  });
  const moved = jobs.map((job) => ({ ...job, at: soon(service, now) }));
  const times = JSON.stringify(moved.map(({ id, connectionId, kind, at }) => ({ id, connectionId, kind, at })));
  await transaction.$executeRaw`
    UPDATE job SET next_retry_at = moved.at FROM jsonb_to_recordset(${times}::jsonb) AS moved(id uuid, at timestamptz)
     WHERE ${owned} AND job.id = moved.id`;
  await transaction.$executeRaw`
    UPDATE connection SET next_retry_at = moved.at
      FROM jsonb_to_recordset(${times}::jsonb) AS moved("connectionId" uuid, kind text, at timestamptz)
     WHERE ${owned} AND connection.id = moved."connectionId" AND moved.kind = 'SCAN'`;
  const tasks = moved.map(({ id, applicationId, connectionId, provider, kind, background, at }) => {
    const connection = locked.find((row) => row.id === connectionId) ?? null;
    const urgency = urgencyOf(background, connection);
    return { task: taskOfKind(kind), id, applicationId, provider, urgency, startAfter: at };
  });
  await service.queue.enqueueAll(transaction, tasks, now);
  return moved.length;
}

async function moveReads(
  service: Service,
  transaction: Transaction,
  group: ShardGroup<RowKey>,
  { interruption, now, until }: Moved,
): Promise<number> {
  const owned = ownedBy(group);
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM connection WHERE ${owned} AND id = ANY(${idsOf(group)}::uuid[]) AND ${isOf(interruption)}
       AND status = 'CONNECTED' FOR UPDATE SKIP LOCKED`;
  const times = JSON.stringify(locked.map(({ id }) => ({ id, at: soon(service, now) })));
  const hasJob = (condition: Prisma.Sql) => Prisma.sql`EXISTS (
    SELECT FROM job WHERE job.application_id = ANY(${group.applicationIds}::uuid[])
       AND job.application_id = connection.application_id AND job.connection_id = connection.id AND job.status = 'FAILED' AND ${hasFailed(interruption)} AND ${condition})`;
  return transaction.$executeRaw`
    UPDATE connection
       SET next_scan_at = CASE WHEN ${hasJob(isScanLater(interruption, until))} THEN moved.at ELSE next_scan_at END,
           next_profile_at = CASE WHEN ${hasJob(isProfileLater(until))} THEN moved.at ELSE next_profile_at END
      FROM jsonb_to_recordset(${times}::jsonb) AS moved(id uuid, at timestamptz)
     WHERE ${owned} AND connection.id = moved.id`;
}

export function soon({ jitter }: Pick<Service, "jitter">, now: Date): Date {
  return addMs(now, Math.floor(jitter() * RESUMED_WITHIN_MS));
}
