import type { JobKind, NewRead, ReadTarget, SyncWindow } from "@social-connect/domain";
import { QUEUED_JOB, REQUESTED_JOB_KINDS } from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { scopeHash } from "../connections/scope.ts";
import type { Service, Transaction } from "../service.ts";
import { TASK_OF_KIND } from "./jobAttempt.ts";
import { formatLookupTarget, parseLookupTarget } from "./lookupTarget.ts";

const IN_FLIGHT = ["QUEUED", "RUNNING"] as const;

type Owner = Pick<Connection, "id" | "applicationId" | "tenantKey" | "externalSubjectId" | "provider">;

/** Stores a read job and enqueues its task, in the caller's transaction. */
export async function createReadJob(
  service: Service,
  transaction: Transaction,
  owner: Owner,
  { target, background, continues }: NewRead<Job>,
  now: Date,
): Promise<Job> {
  const job = await transaction.job.create({
    data: {
      id: newId(),
      applicationId: owner.applicationId,
      connectionId: owner.id,
      scopeHash: scopeHash(owner.id, owner),
      provider: owner.provider,
      kind: target.kind,
      ...QUEUED_JOB,
      background,
      createdAt: now,
      ...targetColumns(target),
      ...(continues && continuationColumns(continues)),
    },
  });
  await service.queue.enqueue(transaction, TASK_OF_KIND[target.kind], { id: job.id });
  return job;
}

function targetColumns(target: NewRead["target"]) {
  switch (target.kind) {
    case "PROFILE":
      return {};
    case "METRICS":
      return { targetContentId: target.providerContentId };
    case "LOOKUP":
      return { lookupTarget: formatLookupTarget(target.lookup) };
    case "SCAN": {
      const { publishedAfter, publishedBefore, maxItems, isDefault } = target.window;
      return { windowAfter: publishedAfter, windowBefore: publishedBefore, maxItems, windowIsDefault: isDefault };
    }
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

export function scanWindowOf(job: Job): SyncWindow | null {
  const { windowAfter, windowBefore, maxItems, windowIsDefault } = job;
  if (windowAfter === null || windowBefore === null || maxItems === null) return null;
  return { publishedAfter: windowAfter, publishedBefore: windowBefore, maxItems, isDefault: windowIsDefault };
}

/** In-flight read jobs of a connection, including background ones. */
export async function findInFlight(transaction: Transaction, connectionId: string): Promise<Job[]> {
  return transaction.job.findMany({
    where: { connectionId, kind: { in: [...REQUESTED_JOB_KINDS] }, status: { in: [...IN_FLIGHT] } },
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

/** Kinds of a connection's scan and profile read in flight. */
export async function kindsInFlight(transaction: Transaction, connectionId: string): Promise<JobKind[]> {
  const where = { connectionId, kind: { in: ["SCAN" as const, "PROFILE" as const] }, status: { in: [...IN_FLIGHT] } };
  return (await transaction.job.findMany({ where, select: { kind: true } })).map(({ kind }) => kind);
}
