import type { JobErrorCode } from "@social-connect/contract";
import {
  AppError,
  isContinuable,
  type JobKind,
  jobAsRead,
  type SubjectScope,
  UNKNOWN_JOB,
} from "@social-connect/domain";
import { equalHashes } from "../../platform/secrets/hash.ts";
import { type SecretBox, SecretBoxError } from "../../platform/secrets/secretBox.ts";
import { asUuid } from "../../platform/uuid.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import type { Reader } from "../applications/readForKey.ts";
import { scopeHash } from "../connections/scope.ts";
import type { Service } from "../service.ts";
import { findReadableJob, type ShowableJob } from "./store.ts";

export type SyncJobShown = NonNullable<ReturnType<typeof showSyncJob>>;

const binding = (connectionId: string) => `continuation_cursor:${connectionId}`;

/**
 * The cursor that continues a scan, or null if the scan cannot be continued. It contains the job ID, sealed for its
 * connection: opaque to the caller, and invalid for any other connection or key.
 */
function continuationCursorOf(secretBox: SecretBox, job: ShowableJob, now: Date): string | null {
  const kind: JobKind = job.kind;
  if (job.providerCursor === null || !isContinuable({ ...job, kind }, now)) return null;
  return secretBox.seal(job.id, binding(job.connectionId));
}

/** The job ID in a cursor; null if the cursor was altered or belongs to another connection. */
export function openContinuationCursor(secretBox: SecretBox, connectionId: string, cursor: string): string | null {
  try {
    return asUuid(secretBox.open(cursor, binding(connectionId)));
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

/** null for a job after its retention period. */
export function showSyncJob(secretBox: SecretBox, job: ShowableJob, now: Date) {
  // The column is text, and is written only from this union.
  const errorCode = job.errorCode as JobErrorCode | null;
  return jobAsRead({ ...job, errorCode, continuationCursor: continuationCursorOf(secretBox, job, now) }, now);
}

export interface SyncJobRequest {
  readonly scope: SubjectScope;
  readonly connectionId: string;
  readonly id: string;
}

/**
 * Returns a refresh, metrics, lookup, revoke or erase job of the caller's scope; NOT_FOUND for any other. Reads only
 * the job, so receipts remain readable after the connection is erased. Source: service description, part 4, syncJob.
 */
export async function readSyncJob(service: Service, reader: Reader, request: SyncJobRequest): Promise<SyncJobShown> {
  const { scope } = request;
  const id = asUuid(request.id);
  const connectionId = asUuid(request.connectionId);
  if (id === null || connectionId === null) throw jobNotFound();
  const now = await service.clock.now();
  const asked = { tenantKey: scope.tenantKey, connectionId, id };
  const { row: job, policy } = await findReadableJob(service, reader, asked, now);
  enforceTenant(service, policy, scope.tenantKey, "NOT_FOUND");
  if (job === null || !equalHashes(job.scopeHash, scopeHash(connectionId, scope))) throw jobNotFound();
  const shown = showSyncJob(service.secretBox, job, now);
  if (shown === null) throw jobNotFound();
  return shown;
}

function jobNotFound(): AppError {
  return new AppError(UNKNOWN_JOB);
}
