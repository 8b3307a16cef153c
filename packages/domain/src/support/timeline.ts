import type { ConnectSessionStatus, JobStatus } from "@social-connect/contract";
import { isInFlight, type JobKind, type WaitReason } from "../jobs/job.ts";
import { latestJob, type SupportFacts, type SupportJob } from "./supportFacts.ts";

export const SUPPORT_EVENT_TYPES = ["LINKED", "ATTEMPT", "JOB", "APP_REMOVED", "DISCONNECTED"] as const;
export type SupportEventType = (typeof SUPPORT_EVENT_TYPES)[number];

export interface SupportEvent {
  readonly type: SupportEventType;
  /** When a job ended or, while it is in flight, when it was created. */
  readonly at: Date;
  /** The job or the connect attempt. */
  readonly id: string | null;
  readonly jobKind: JobKind | null;
  readonly jobStatus: JobStatus | null;
  readonly attemptStatus: ConnectSessionStatus | null;
  /** Why it failed, or why a scan did not cover its window. */
  readonly code: string | null;
  readonly waitReason: WaitReason | null;
  readonly nextTryAt: Date | null;
  /** Posts that a scan observed, or rows that an erasure deleted. */
  readonly count: number | null;
}

export interface SupportAttempt {
  readonly id: string;
  readonly status: ConnectSessionStatus;
  readonly resultCode: string | null;
  readonly createdAt: Date;
}

const NOTHING = {
  id: null,
  jobKind: null,
  jobStatus: null,
  attemptStatus: null,
  code: null,
  waitReason: null,
  nextTryAt: null,
  count: null,
} as const;

/** What is known of the past of a connection, newest first. */
export function connectionTimeline(facts: SupportFacts, attempts: readonly SupportAttempt[]): SupportEvent[] {
  const { connection, jobs } = facts;
  const revoke = latestJob(facts, "REVOKE");
  const events: SupportEvent[] = [
    ...jobs.map(eventOfJob),
    ...attempts.map(({ id, status, resultCode, createdAt }) => {
      return { ...NOTHING, type: "ATTEMPT", at: createdAt, id, attemptStatus: status, code: resultCode } as const;
    }),
    ...at("LINKED", connection?.createdAt),
    ...at("APP_REMOVED", connection?.appRemovedAt),
    ...at("DISCONNECTED", revoke?.createdAt),
  ];
  return events.toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

function at(type: SupportEventType, when: Date | null | undefined): SupportEvent[] {
  return when == null ? [] : [{ ...NOTHING, type, at: when }];
}

function eventOfJob(job: SupportJob): SupportEvent {
  const { id, kind, status, waitReason, nextRetryAt, createdAt, finishedAt } = job;
  return {
    type: "JOB",
    at: finishedAt ?? createdAt,
    id,
    jobKind: kind,
    jobStatus: status,
    attemptStatus: null,
    code: job.errorCode ?? job.incompleteReason,
    waitReason,
    nextTryAt: isInFlight(status) ? nextRetryAt : null,
    count: countOf(job),
  };
}

function countOf({ kind, status, itemsObserved, deletedCounts }: SupportJob): number | null {
  if (kind === "SCAN") return status === "QUEUED" && itemsObserved === 0 ? null : itemsObserved;
  if (kind !== "ERASE" || deletedCounts === null) return null;
  return Object.values(deletedCounts).reduce((sum, rows) => sum + rows, 0);
}
