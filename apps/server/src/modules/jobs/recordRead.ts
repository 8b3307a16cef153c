import type { ReadOutcome } from "@social-connect/domain";
import { decideReadOutcome, refuseRead, servedCapabilities } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import type { Service } from "../service.ts";
import type { AttemptTransaction, ReadColumns } from "./jobAttempt.ts";
import { applyJobChange, inAttempt, StaleAttemptError } from "./jobAttempt.ts";
import type { Observed } from "./store.ts";
import { markDeleted, upsertContent } from "./store.ts";

/** The outcome of a read with what it observed. */
export type ReadResult = ReadOutcome &
  ReadColumns & {
    readonly observed?: readonly Observed[];
    /** Stored posts that the provider did not return by ID. */
    readonly deleted?: readonly string[];
  };

/** The provider no longer has the post. A stored copy is marked as deleted in the transaction that ends the job. */
export function deletedPost(providerContentId: string | null): ReadResult {
  const deleted = providerContentId === null ? [] : [providerContentId];
  return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND", deleted };
}

/**
 * Stores the result of a read attempt in one transaction that rechecks access. If the findings cannot be stored, it
 * records a failure without them.
 */
export async function recordRead(service: Service, job: Job, result: ReadResult): Promise<void> {
  const now = await service.clock.now();
  try {
    await inAttempt(service, job, (locked) => write(service, job, locked, result, now));
  } catch (error) {
    if (error instanceof StaleAttemptError) throw error;
    const failed: ReadResult = { outcome: "interrupted", fault: asProviderError(service, job, error) };
    await inAttempt(service, job, (locked) => write(service, job, locked, failed, now));
  }
}

/** Treats unexpected errors as transient, with the same retry limit. */
export function asProviderError(service: Service, job: Job, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  service.logger.error({ err: error, jobId: job.id, kind: job.kind }, "job attempt failed with an unexpected error");
  return new ProviderError("unavailable", "unexpected error");
}

async function write(
  service: Service,
  job: Job,
  locked: AttemptTransaction,
  read: ReadResult,
  now: Date,
): Promise<void> {
  const { transaction, connection } = locked;
  if (connection === null) throw new StaleAttemptError();
  const { capabilities: offeredCapabilities } = await loadRegistration(transaction, connection.registrationId);
  const access = { ...connection, offeredCapabilities };
  const result: ReadResult = refuseRead(job, access, null) ?? read;
  const withMetrics = servedCapabilities(access).includes("CONTENT_METRICS");
  await upsertContent(transaction, connection, result.observed ?? [], withMetrics);
  await markDeleted(transaction, connection, result.deleted ?? [], now);
  const change = decideReadOutcome(job, connection, result, service.jitter, now);
  await applyJobChange(service, locked, job, change, now, result);
}
