import {
  AppError,
  checkContinuation,
  decideRefresh,
  enforce,
  isInFlight,
  isLookupTarget,
  isRefusal,
  NEEDED_CAPABILITIES,
  parseLookupUrl,
  REQUESTED_JOB_KINDS,
  type ReadTarget,
  resolveSyncWindow,
  type SubjectScope,
  type SyncWindowInput,
  UNKNOWN_POST,
} from "@social-connect/domain";
import type { Connection, Job } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { accessConnection } from "../connections/access.ts";
import { createRead, targetOf } from "./createJob.ts";
import { openContinuationCursor, showSyncJob } from "./readSyncJob.ts";
import { isObserved } from "./storeContent.ts";

export interface RefreshRequest {
  readonly scope: SubjectScope;
  readonly connectionId: string;
  readonly providerContentId?: string | null;
  readonly window?: SyncWindowInput | null;
  readonly continuationCursor?: string | null;
}

/**
 * Starts a scan of a window, a continuation, or a metrics refresh of one post. Returns the running job for the same target
 * if there is one. Source: service description, part 4, requestRefresh.
 */
export function requestRefresh(world: World, caller: Caller, request: RefreshRequest) {
  return request.providerContentId == null
    ? requestScan(world, caller, request)
    : requestMetrics(world, caller, request, request.providerContentId);
}

function requestMetrics(world: World, caller: Caller, request: RefreshRequest, providerContentId: string) {
  const connection = accessConnection(world, caller, request, NEEDED_CAPABILITIES.refreshMetrics);
  if (!isObserved(world, connection.id, providerContentId)) throw new AppError(UNKNOWN_POST);
  return startRead(world, caller, connection, { kind: "METRICS", providerContentId });
}

function requestScan(world: World, caller: Caller, request: RefreshRequest) {
  const connection = accessConnection(world, caller, request, NEEDED_CAPABILITIES.refreshScan);
  const now = world.now();
  if (request.continuationCursor == null) {
    return startRead(world, caller, connection, { kind: "SCAN", window: resolveSyncWindow(request.window, now) });
  }
  const id = openContinuationCursor(world, connection.id, request.continuationCursor);
  const found = world.state.jobs.get(id ?? "");
  const continues = found?.connectionId === connection.id && found.listingCursor !== null ? found : null;
  const window = continues?.window ?? null;
  enforce(checkContinuation(continues && window && { ...continues, window }, request.window, now));
  if (continues === null || window === null) throw new Error("a continuation without its scan");
  return startRead(world, caller, connection, { kind: "SCAN", window }, continues);
}

/** Starts the lookup of a post by its URL. Source: service description, part 4, requestContentLookup. */
export function requestContentLookup(
  world: World,
  caller: Caller,
  request: { readonly scope: SubjectScope; readonly connectionId: string; readonly url: string },
) {
  const connection = accessConnection(world, caller, request, NEEDED_CAPABILITIES.contentLookup);
  const lookup = parseLookupUrl(request.url, connection.provider);
  if (!isLookupTarget(lookup)) throw new AppError(lookup);
  return startRead(world, caller, connection, { kind: "LOOKUP", lookup });
}

function startRead(world: World, { application }: Caller, connection: Connection, target: ReadTarget, continues?: Job) {
  const jobs = [...world.state.jobs.values()].filter(
    (job) =>
      isInFlight(job.status) &&
      REQUESTED_JOB_KINDS.some((kind) => kind === job.kind) &&
      job.applicationId === application.id,
  );
  const inFlight = jobs.flatMap((job) => {
    const found = job.connectionId === connection.id ? targetOf(job) : null;
    return found === null ? [] : [{ job, target: found }];
  });
  const count = jobs.filter((job) => !job.background).length;
  const decision = decideRefresh(inFlight, count, { target, ...(continues && { continues }) });
  if (isRefusal(decision)) throw new AppError(decision);
  const job = "existing" in decision ? decision.existing.job : createRead(world, connection, decision.create);
  job.requested = job.background;
  const shown = showSyncJob(world, job);
  if (shown === null) throw new Error("a job in flight has expired");
  return shown;
}
