import type { JobStatus } from "@social-connect/contract";
import { about } from "../audit/about.ts";
import { changesOf } from "../audit/changes.ts";
import { SYNC_STATUS_AFTER } from "../connections/syncStatus.ts";
import type { AuditedChange } from "../decisions/change.ts";
import { type AdminRefusal, invalidField } from "../decisions/refusal.ts";
import { isInFlight, isReadKind, JOB_TRAITS, type JobKind, moveJob } from "./job.ts";
import { type JobFollowUp, type JobPatch, QUEUED_JOB } from "./outcome.ts";

export interface OperatedJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  readonly nextRetryAt: Date | null;
}

/** Makes a job that waits for a retry due now. A finished job stays finished, and a running one needs no retry. */
export function decideRetryNow(job: OperatedJob, now: Date): AdminRefusal | AuditedChange<JobPatch, JobFollowUp> {
  if (!isInFlight(job.status)) return invalidField("id", `The job has ended (${job.status}) and cannot run again.`);
  if (job.status === "RUNNING") return invalidField("id", "The job is running.");
  const summary = `Retried the ${JOB_TRAITS[job.kind].name} job before its time.`;
  const changes = changesOf({ nextRetryAt: job.nextRetryAt }, { nextRetryAt: now });
  return {
    patch: { ...QUEUED_JOB, nextRetryAt: null },
    followUps: [{ type: "RUN_JOB", at: now }],
    audit: about("JOB", job.id, "Job retried", summary, changes),
  };
}

/** Ends a read. Other jobs finish what a disconnect or a revoke began, so they are never canceled. */
export function decideCancelJob(job: OperatedJob, now: Date): AdminRefusal | AuditedChange<JobPatch, JobFollowUp> {
  if (!isReadKind(job.kind)) return invalidField("id", `A ${job.kind} job cannot be canceled.`);
  const status = moveJob(job.status, "CANCELED");
  if (status === null) return invalidField("id", `The job has ended already (${job.status}).`);
  const summary = `Canceled the ${JOB_TRAITS[job.kind].name} job, which was ${job.status.toLowerCase()}.`;
  const ended = { syncStatus: SYNC_STATUS_AFTER.SCAN_FAILED, nextRetryAt: null, updatedAt: now };
  return {
    patch: { status, errorCode: null, nextRetryAt: null, waitReason: null, finishedAt: now },
    followUps: job.kind === "SCAN" ? [{ type: "CHANGE_CONNECTION", patch: ended }] : [],
    audit: about("JOB", job.id, "Job canceled", summary, changesOf({ status: job.status }, { status })),
  };
}
