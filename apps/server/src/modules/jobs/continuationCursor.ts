import type { JobKind } from "@social-connect/domain";
import { isContinuable } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import type { SecretBox } from "../../platform/secretBox.ts";
import { SecretBoxError } from "../../platform/secretBox.ts";
import { asUuid } from "../../platform/uuid.ts";

const binding = (connectionId: string) => `continuation_cursor:${connectionId}`;

type ContinuableJob = Pick<
  Job,
  "id" | "connectionId" | "kind" | "status" | "completeForWindow" | "finishedAt" | "providerCursor"
>;

/**
 * The cursor that continues a scan, null where there is nothing to continue. It names the job, sealed for its connection:
 * opaque to the caller, and no other cursor, connection or key opens as it.
 */
export function continuationCursorOf(secretBox: SecretBox, job: ContinuableJob, now: Date): string | null {
  const kind: JobKind = job.kind;
  if (job.providerCursor === null || !isContinuable({ ...job, kind }, now)) return null;
  return secretBox.seal(job.id, binding(job.connectionId));
}

/** The id of the job that a cursor continues; null for a cursor that was altered, is foreign, or is none of ours. */
export function openContinuationCursor(secretBox: SecretBox, connectionId: string, cursor: string): string | null {
  try {
    return asUuid(secretBox.open(cursor, binding(connectionId)));
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
