import { asUuid, isContinuable, jobAsRead } from "@social-connect/domain";
import type { Job } from "../../state/state.ts";
import { seal, unseal } from "../../util/seal.ts";
import type { World } from "../../world/world.ts";

const binding = (connectionId: string) => ["continuation_cursor", connectionId];

/** A job as the API returns it; null after its retention time. */
export function showSyncJob(world: World, job: Job) {
  const now = world.now();
  const continues = job.listingCursor !== null && isContinuable(job, now);
  const continuationCursor = continues ? seal(world.sealKey, binding(job.connectionId), job.id) : null;
  return jobAsRead({ ...job, continuationCursor }, now);
}

/** The id of the job that a cursor continues; null for an invalid cursor. */
export function openContinuationCursor(world: World, connectionId: string, cursor: string): string | null {
  return asUuid(unseal(world.sealKey, binding(connectionId), cursor) ?? "");
}
