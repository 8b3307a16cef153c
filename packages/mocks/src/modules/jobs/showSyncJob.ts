import { asUuid, isContinuable, jobAsRead } from "@social-connect/domain";
import type { Job } from "../../state/state.ts";
import { seal, unseal } from "../../util/seal.ts";
import type { World } from "../../world/world.ts";

const binding = (connectionId: string) => ["continuation_cursor", connectionId];

/** A job as the API shows it; null for one that is past its time. */
export function showSyncJob(world: World, job: Job) {
  const now = world.now();
  const goesOn = job.listingCursor !== null && isContinuable(job, now);
  const continuationCursor = goesOn ? seal(world.sealKey, binding(job.connectionId), job.id) : null;
  return jobAsRead({ ...job, continuationCursor }, now);
}

/** The id of the job that a cursor continues; null for a cursor that was altered, is foreign, or is none of ours. */
export function openContinuationCursor(world: World, connectionId: string, cursor: string): string | null {
  return asUuid(unseal(world.sealKey, binding(connectionId), cursor) ?? "");
}
