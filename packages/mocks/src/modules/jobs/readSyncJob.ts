import {
  AppError,
  asUuid,
  isContinuable,
  jobAsRead,
  READABLE_JOB_KINDS,
  type SubjectScope,
  UNKNOWN_JOB,
} from "@social-connect/domain";
import type { Job } from "../../state/state.ts";
import { seal, unseal } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { scopeHash } from "./createJob.ts";

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

/**
 * A refresh, metrics, lookup, revoke or erase job of the caller's scope. It does not read the connection, so receipts stay
 * readable after erasure. Source: service description, part 4, syncJob.
 */
export function readSyncJob(
  world: World,
  { application }: Caller,
  request: { readonly scope: SubjectScope; readonly connectionId: string; readonly id: string },
) {
  enforceTenant(world, application, request.scope.tenantKey, "NOT_FOUND");
  const connectionId = asUuid(request.connectionId) ?? "";
  const job = world.state.jobs.get(asUuid(request.id) ?? "");
  const isCallers =
    job !== undefined &&
    job.applicationId === application.id &&
    job.connectionId === connectionId &&
    READABLE_JOB_KINDS.some((kind) => kind === job.kind) &&
    job.scopeHash === scopeHash(connectionId, request.scope);
  const shown = isCallers ? showSyncJob(world, job) : null;
  if (shown === null) throw new AppError(UNKNOWN_JOB);
  return shown;
}
