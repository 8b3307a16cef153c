import type { JobKind, ReadTarget, RevokeReceipt } from "@social-connect/domain";
import { resolveSyncWindow } from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { planJob, QUEUE_MS } from "./jobAttempt.ts";

type Owner = Pick<Connection, "id" | "applicationId" | "tenantKey" | "externalSubjectId" | "provider">;

export interface NewJob {
  readonly kind: JobKind;
  readonly background: boolean;
  readonly target?: ReadTarget;
  readonly continues?: Job;
  /** It has nothing to do and ends as it begins. */
  readonly ended?: RevokeReceipt & { readonly startedAt: Date; readonly finishedAt: Date };
}

/** Stores a job and puts it on the agenda. */
export function createJob(world: World, owner: Owner, { kind, background, target, continues, ended }: NewJob): Job {
  const job: Job = {
    id: world.newId(),
    kind,
    applicationId: owner.applicationId,
    connectionId: owner.id,
    scopeHash: scopeHash(owner.id, owner),
    provider: owner.provider,
    background,
    status: "QUEUED",
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
    // A continuation goes on where the scan before it stopped, and is as old as the first of the chain.
    continuesJobId: continues?.id ?? null,
    listingCursor: continues?.listingCursor ?? null,
    itemsObserved: 0,
    coveredSince: continues?.coveredSince ?? continues?.startedAt ?? null,
    completeForWindow: null,
    incompleteReason: null,
    resultProviderContentId: null,
    deletedCounts: null,
    ...ended,
  };
  world.state.jobs.set(job.id, job);
  if (ended === undefined) planJob(world, job, world.nowMs() + QUEUE_MS);
  return job;
}

/**
 * What a job keeps of the scope it may be read from. Salted with the connection's id, so that it tells nothing of the
 * subject once the connection is erased.
 */
export function scopeHash(
  connectionId: string,
  { tenantKey, externalSubjectId }: { readonly tenantKey: string; readonly externalSubjectId: string },
): string {
  return sha256Hex(JSON.stringify([connectionId, tenantKey, externalSubjectId]));
}

export function defaultScan(now: Date): ReadTarget {
  return { kind: "SCAN", window: resolveSyncWindow(null, now) };
}

/** What a stored read job works on; null for kinds that no caller asks for. */
export function targetOf(job: Job): ReadTarget | null {
  if (job.kind === "SCAN" && job.window !== null) return { kind: "SCAN", window: job.window };
  if (job.kind === "METRICS" && job.targetContentId !== null) {
    return { kind: "METRICS", providerContentId: job.targetContentId };
  }
  return job.kind === "LOOKUP" && job.lookup !== null ? { kind: "LOOKUP", lookup: job.lookup } : null;
}
