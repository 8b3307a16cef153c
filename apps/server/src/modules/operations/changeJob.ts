import {
  type AdminRefusal,
  type AuditedChange,
  accepted,
  checkReasonAbout,
  decideCancelJob,
  decideRetryNow,
  type JobFollowUp,
  type JobPatch,
  notFound,
  type OperatedJob,
} from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import { type AdminActor, SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { lockConnection } from "../connections/locks.ts";
import { applyFollowUps, connectionOf } from "../jobs/jobAttempt.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";

/** Runs a waiting job now. With `dryRun` only the decision is made. */
export function retryJob(service: Service, id: string, dryRun: boolean, operator = OPERATOR) {
  return changeJob(service, id, decideRetryNow, dryRun, operator);
}

/** Cancels a read. A worker that runs it discards its result. With `dryRun` only the decision is made. */
export function cancelJob(service: Service, id: string, dryRun: boolean) {
  return changeJob(service, id, decideCancelJob, dryRun, OPERATOR);
}

/** Who changes a job, and why. */
export interface Operator {
  readonly actor: AdminActor;
  readonly reason: string | null;
}

const OPERATOR: Operator = { actor: SYSTEM, reason: null };

type Decide = (job: OperatedJob, now: Date) => AdminRefusal | AuditedChange<JobPatch, JobFollowUp>;

async function changeJob(service: Service, id: string, decide: Decide, dryRun: boolean, { actor, reason }: Operator) {
  const jobId = asUuid(id);
  return adminTransaction(service, async (transaction, now) => {
    const found = jobId === null ? null : await transaction.job.findFirst({ where: { id: jobId } });
    if (found === null) return accepted(notFound("The job"));
    const connection = await lockConnection(transaction, connectionOf(found));
    if (reason !== null) accepted(checkReasonAbout(connection, reason));
    const job = await transaction.job.findUniqueOrThrow({ where: keyOf(found) });
    const { patch, followUps, audit } = accepted(decide(job, now));
    const changed = { id: job.id, connectionId: job.connectionId, kind: job.kind, status: patch.status };
    if (dryRun) return changed;
    const summary = reason === null ? audit.summary : `${audit.summary} Reason: ${reason}`;
    await recordAudit(transaction, actor, now, { ...audit, summary });
    await transaction.job.update({ where: keyOf(job), data: patch });
    await applyFollowUps(service, { transaction, connection }, job, followUps, now);
    return changed;
  });
}
