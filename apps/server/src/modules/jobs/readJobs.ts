import {
  FAILURES_OF_SINGLE_ATTEMPT,
  isReadKind,
  JOB_KINDS,
  type JobKind,
  type LookupTarget,
  type NewRead,
  QUEUED_JOB,
  REQUESTED_JOB_KINDS,
  type ReadTarget,
  type SyncWindow,
  type UntargetedRead,
} from "@social-connect/domain";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import { jobOrigin } from "../../platform/call/trail.ts";
import { newId } from "../../platform/ids.ts";
import { scopeHash } from "../connections/scope.ts";
import type { RowKey } from "../rowKey.ts";
import { type NewTask, type Service, type Transaction, taskOfKind, type Urgency } from "../service.ts";

const IN_FLIGHT = ["QUEUED", "RUNNING"] as const;

type Owner = Pick<
  Connection,
  "id" | "applicationId" | "tenantKey" | "externalSubjectId" | "provider" | "lastSuccessfulSyncAt"
>;

/** Stores a read job and enqueues its task, in the caller's transaction. */
export async function createReadJob(
  service: Service,
  transaction: Transaction,
  owner: Owner,
  read: NewRead<Job>,
  now: Date,
): Promise<Job> {
  const job = await transaction.job.create({ data: columnsOf(owner, read, now) });
  await service.queue.enqueueAll(transaction, [taskOf(owner, job)]);
  return job;
}

/** Stores read jobs and enqueues their tasks, in one statement each and one for each queue. */
export async function createReadJobs(
  service: Service,
  transaction: Transaction,
  reads: readonly { readonly owner: Owner; readonly read: NewRead<Job> }[],
  now: Date,
): Promise<void> {
  if (reads.length === 0) return;
  const jobs = reads.map(({ owner, read }) => ({ owner, job: columnsOf(owner, read, now) }));
  await transaction.job.createMany({ data: jobs.map(({ job }) => job) });
  await service.queue.enqueueAll(
    transaction,
    jobs.map(({ owner, job }) => taskOf(owner, job)),
  );
}

function columnsOf(owner: Owner, { target, background, continues, isSingleAttempt }: NewRead<Job>, now: Date) {
  return {
    id: newId(),
    applicationId: owner.applicationId,
    connectionId: owner.id,
    scopeHash: scopeHash(owner.id, owner),
    provider: owner.provider,
    kind: target.kind,
    ...QUEUED_JOB,
    background,
    failures: isSingleAttempt ? FAILURES_OF_SINGLE_ATTEMPT : 0,
    ...jobOrigin(),
    createdAt: now,
    ...targetColumns(target),
    ...(continues && continuationColumns(continues)),
  } satisfies Prisma.JobCreateManyInput;
}

function taskOf(owner: Owner, { id, kind, background }: Pick<Job, "id" | "kind" | "background">): NewTask {
  const { applicationId, provider } = owner;
  return { task: taskOfKind(kind), id, applicationId, provider, urgency: urgencyOf(background, owner) };
}

/** A connection without a successful scan waits for its first reads. */
export function urgencyOf(background: boolean, connection: Pick<Connection, "lastSuccessfulSyncAt"> | null): Urgency {
  if (!background) return "requested";
  return connection?.lastSuccessfulSyncAt === null ? "first" : "background";
}

function targetColumns(target: NewRead["target"]) {
  switch (target.kind) {
    case "METRICS":
      return { targetContentId: target.providerContentId };
    case "LOOKUP":
      return { lookupTarget: formatLookupTarget(target.lookup) };
    case "SCAN": {
      const { publishedAfter, publishedBefore, maxItems, isDefault } = target.window;
      return { windowAfter: publishedAfter, windowBefore: publishedBefore, maxItems, windowIsDefault: isDefault };
    }
    default:
      target.kind satisfies UntargetedRead;
      return {};
  }
}

/**
 * A continuation starts at the cursor of the previous scan, and keeps the start time of the first scan of the chain.
 */
function continuationColumns(scan: Job) {
  return {
    continuesJobId: scan.id,
    providerCursor: scan.providerCursor,
    coveredSince: scan.coveredSince ?? scan.startedAt,
  };
}

/** The target of a stored read job; null for kinds that callers cannot request. */
export function targetOf(job: Job): ReadTarget | null {
  switch (job.kind) {
    case "METRICS":
      return job.targetContentId === null ? null : { kind: "METRICS", providerContentId: job.targetContentId };
    case "LOOKUP":
      return { kind: "LOOKUP", lookup: parseLookupTarget(job.lookupTarget) };
    case "SCAN": {
      const window = scanWindowOf(job);
      return window === null ? null : { kind: "SCAN", window };
    }
    default:
      return null;
  }
}

/** A lookup's target as stored in its job: `id:<value>` or `shortcode:<value>`. */
function formatLookupTarget({ kind, value }: LookupTarget): string {
  return `${kind}:${value}`;
}

export function parseLookupTarget(text: string | null): LookupTarget {
  const separator = text?.indexOf(":") ?? -1;
  const kind = text?.slice(0, separator);
  if (text === null || (kind !== "id" && kind !== "shortcode")) throw new Error("The lookup job has no target.");
  return { kind, value: text.slice(separator + 1) };
}

export function scanWindowOf(job: Job): SyncWindow | null {
  const { windowAfter, windowBefore, maxItems, windowIsDefault } = job;
  if (windowAfter === null || windowBefore === null || maxItems === null) return null;
  return { publishedAfter: windowAfter, publishedBefore: windowBefore, maxItems, isDefault: windowIsDefault };
}

/** In-flight read jobs of a connection, including background ones. */
export async function findInFlight(
  transaction: Transaction,
  { id: connectionId, applicationId }: RowKey,
): Promise<Job[]> {
  return transaction.job.findMany({
    where: { applicationId, connectionId, kind: { in: [...REQUESTED_JOB_KINDS] }, status: { in: [...IN_FLIGHT] } },
    orderBy: { createdAt: "asc" },
  });
}

/** In-flight read jobs that the application requested. */
export async function countInFlight(transaction: Transaction, applicationId: string): Promise<number> {
  return transaction.job.count({
    where: {
      applicationId,
      kind: { in: [...REQUESTED_JOB_KINDS] },
      status: { in: [...IN_FLIGHT] },
      background: false,
    },
  });
}

/** Kinds of the reads in flight of each connection. */
export async function kindsInFlight(
  transaction: Transaction,
  connections: readonly RowKey[],
): Promise<ReadonlyMap<string, readonly JobKind[]>> {
  const connectionIds = connections.map(({ id }) => id);
  const jobs = await transaction.job.findMany({
    where: {
      applicationId: { in: applicationsOf(connections) },
      connectionId: { in: connectionIds },
      kind: { in: JOB_KINDS.filter(isReadKind) },
      status: { in: [...IN_FLIGHT] },
    },
    select: { connectionId: true, kind: true },
  });
  const kinds = new Map<string, JobKind[]>(connectionIds.map((id) => [id, []]));
  for (const { connectionId, kind } of jobs) kinds.get(connectionId)?.push(kind);
  return kinds;
}

/** The latest scan of each connection that has one, by the connection. */
export async function latestScans(
  transaction: Transaction,
  connections: readonly RowKey[],
): Promise<ReadonlyMap<string, Job>> {
  const applicationIds = applicationsOf(connections);
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT latest.id FROM unnest(${connections.map(({ id }) => id)}::uuid[]) AS connection(id) CROSS JOIN LATERAL (
      SELECT id FROM job WHERE connection_id = connection.id AND application_id = ANY(${applicationIds}::uuid[]) AND kind = 'SCAN'
       ORDER BY created_at DESC LIMIT 1) AS latest`;
  const ids = rows.map(({ id }) => id);
  const scans = await transaction.job.findMany({ where: { applicationId: { in: applicationIds }, id: { in: ids } } });
  return new Map(scans.map((scan) => [scan.connectionId, scan]));
}

function applicationsOf(connections: readonly RowKey[]): string[] {
  return [...new Set(connections.map(({ applicationId }) => applicationId))];
}
