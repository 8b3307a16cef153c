import {
  AppError,
  checkContinuation,
  enforce,
  NEEDED_CAPABILITIES,
  type RefreshArguments,
  resolveSyncWindow,
  type SubjectScope,
  UNKNOWN_POST,
} from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import type { Caller } from "../applications/checkKey.ts";
import { accessConnection } from "../connections/readConnection.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { scanWindowOf } from "./readJobs.ts";
import { openContinuationCursor, type SyncJobShown } from "./readSyncJob.ts";
import { startRead } from "./startRead.ts";
import { isObserved } from "./store.ts";

export interface RefreshRequest extends RefreshArguments {
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

/**
 * Starts a scan of a window, a continuation of a scan, or a metrics refresh of a post. Returns the existing job if the
 * same read is in flight. Source: service description, part 4, requestRefresh.
 */
export async function requestRefresh(service: Service, caller: Caller, request: RefreshRequest): Promise<SyncJobShown> {
  return request.providerContentId == null
    ? requestScan(service, caller, request)
    : requestMetrics(service, caller, request, request.providerContentId);
}

async function requestMetrics(
  service: Service,
  caller: Caller,
  { scope, connectionId }: RefreshRequest,
  providerContentId: string,
): Promise<SyncJobShown> {
  const needed = NEEDED_CAPABILITIES.refreshMetrics;
  const { connection, now } = await accessConnection(service, caller, scope, connectionId, needed);
  const key = { id: connection.id, applicationId: caller.application.id };
  if (!(await isObserved(service.prisma, key, providerContentId))) throw new AppError(UNKNOWN_POST);
  const target = { kind: "METRICS", providerContentId } as const;
  return startRead(service, caller, { connection, needed, target }, now);
}

async function requestScan(service: Service, caller: Caller, request: RefreshRequest): Promise<SyncJobShown> {
  const needed = NEEDED_CAPABILITIES.refreshScan;
  const { connection, now } = await accessConnection(service, caller, request.scope, request.connectionId, needed);
  if (request.continuationCursor == null) {
    const target = { kind: "SCAN", window: resolveSyncWindow(request.window, now) } as const;
    return startRead(service, caller, { connection, needed, target }, now);
  }
  const key = { id: connection.id, applicationId: caller.application.id };
  const continues = await findContinued(service, key, request.continuationCursor);
  const window = continues && scanWindowOf(continues);
  enforce(checkContinuation(continues && window && { ...continues, window }, request.window, now));
  // For the compiler: `checkContinuation` rejects these cases.
  if (continues === null || window === null) throw new Error("The continuation has no scan.");
  return startRead(service, caller, { connection, needed, target: { kind: "SCAN", window }, continues }, now);
}

async function findContinued(
  service: Service,
  { id: connectionId, applicationId }: RowKey,
  cursor: string,
): Promise<Job | null> {
  const id = openContinuationCursor(service.secretBox, connectionId, cursor);
  return id === null
    ? null
    : service.prisma.job.findFirst({ where: { id, applicationId, connectionId, providerCursor: { not: null } } });
}
