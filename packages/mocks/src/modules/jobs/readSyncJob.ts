import {
  AppError,
  asUuid,
  checkSubjectScope,
  checkTenant,
  enforce,
  READABLE_JOB_KINDS,
  type SubjectScope,
  UNKNOWN_JOB,
} from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { scopeHash } from "./createJob.ts";
import { showSyncJob } from "./showSyncJob.ts";

/**
 * A refresh, metrics, lookup, revoke or erase job of the caller's scope. It does not read the connection, so receipts stay
 * readable after erasure. Source: service description, part 4, syncJob.
 */
export function readSyncJob(
  world: World,
  { application }: Caller,
  request: { readonly scope: SubjectScope; readonly connectionId: string; readonly id: string },
) {
  enforce(checkSubjectScope(request.scope));
  enforce(checkTenant(application, request.scope.tenantKey, "NOT_FOUND"));
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
