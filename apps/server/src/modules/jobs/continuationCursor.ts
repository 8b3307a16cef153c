import { isContinuable, type JobKind } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { type SecretBox, SecretBoxError } from "../../platform/secretBox.ts";
import { asUuid } from "../../platform/uuid.ts";

const binding = (connectionId: string) => `continuation_cursor:${connectionId}`;

type ContinuableJob = Pick<
  Job,
  "id" | "connectionId" | "kind" | "status" | "completeForWindow" | "finishedAt" | "providerCursor"
>;

/**
 * The cursor that continues a scan, or null if the scan cannot be continued. It contains the job ID, sealed for its
 * connection: opaque to the caller, and invalid for any other connection or key.
 */
export function continuationCursorOf(secretBox: SecretBox, job: ContinuableJob, now: Date): string | null {
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
