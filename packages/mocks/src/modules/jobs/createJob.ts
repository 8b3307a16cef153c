import {
  type EndedJob,
  type JobKind,
  jobEvent,
  type NewRead,
  QUEUED_JOB,
  type ReadTarget,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { recordEvent } from "../events/recordEvents.ts";
import { QUEUE_MS, scheduleJob } from "./jobAttempt.ts";

type Owner = Pick<Connection, "id" | "applicationId" | "tenantKey" | "externalSubjectId" | "provider">;

export interface NewJob {
  readonly id?: string;
  readonly kind: JobKind;
  readonly background: boolean;
  readonly target?: NewRead["target"];
  readonly continues?: Job | null;
  /** The result of a job that has nothing to do. */
  readonly ended?: EndedJob & { readonly startedAt: Date };
}

export function jobsOf(world: World, connectionId: string): Job[] {
  return [...world.state.jobs.values()].filter((job) => job.connectionId === connectionId);
}

export function createJob(
  world: World,
  owner: Owner,
  { id = world.newId(), kind, background, target, continues, ended }: NewJob,
): Job {
  const job: Job = {
    id,
    kind,
    applicationId: owner.applicationId,
    connectionId: owner.id,
    scopeHash: scopeHash(owner.id, owner),
    provider: owner.provider,
    background,
    requested: false,
    ...QUEUED_JOB,
    attempt: 0,
    failures: 0,
    errorCode: null,
    creatorAction: null,
    nextRetryAt: null,
    createdAt: world.now(),
    startedAt: null,
    finishedAt: null,
    dueAtMs: null,
    run: null,
    window: target?.kind === "SCAN" ? target.window : null,
    targetContentId: target?.kind === "METRICS" ? target.providerContentId : null,
    lookup: target?.kind === "LOOKUP" ? target.lookup : null,
    // A continuation resumes the previous scan and has the start time of the first scan of the chain.
    continuesJobId: continues?.id ?? null,
    listingCursor: continues?.listingCursor ?? null,
    itemsObserved: 0,
    coveredSince: continues?.coveredSince ?? continues?.startedAt ?? null,
    completeForWindow: null,
    incompleteReason: null,
    resultProviderContentId: null,
    ...ended,
  };
  world.state.jobs.set(job.id, job);
  if (ended === undefined) scheduleJob(world, job, world.nowMs() + QUEUE_MS);
  else recordEvent(world, jobEvent(job, owner));
  return job;
}

export function createRead(world: World, owner: Owner, { target, background, continues }: NewRead<Job>): Job {
  return createJob(world, owner, { kind: target.kind, background, target, continues });
}

/** The scope that may read a job, hashed with the connection's id, so that it does not identify the subject after erasure. */
export function scopeHash(
  connectionId: string,
  { tenantKey, externalSubjectId }: { readonly tenantKey: string; readonly externalSubjectId: string },
): string {
  return sha256Hex(JSON.stringify([connectionId, tenantKey, externalSubjectId]));
}

/** The target of a stored read job; null for kinds that callers cannot request. */
export function targetOf(job: Job): ReadTarget | null {
  if (job.kind === "SCAN" && job.window !== null) return { kind: "SCAN", window: job.window };
  if (job.kind === "METRICS" && job.targetContentId !== null) {
    return { kind: "METRICS", providerContentId: job.targetContentId };
  }
  return job.kind === "LOOKUP" && job.lookup !== null ? { kind: "LOOKUP", lookup: job.lookup } : null;
}
