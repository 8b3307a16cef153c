import type { JobErrorCode } from "@social-connect/contract";
import {
  capabilitiesOfRead,
  checkContentAccess,
  jobErrorCode,
  nextAfterLimit,
  servedCapabilities,
  shouldLeaveToSchedule,
} from "@social-connect/domain";
import type { Connection, Job, Prisma } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { markGrantRevoked } from "../grants/markGrantRevoked.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import type { Service, Transaction } from "../service.ts";
import type { AttemptTransaction } from "./jobAttempt.ts";
import { fail, inAttempt, retryAfter, retryLater, StaleAttemptError, succeed } from "./jobAttempt.ts";
import type { Observed } from "./store.ts";
import { markDeleted, upsertContent } from "./store.ts";

/** What a read observed, regardless of the job's outcome. */
interface Findings {
  readonly observed?: readonly Observed[];
  /** Stored posts that the provider did not return by ID. */
  readonly deleted?: readonly string[];
  readonly job?: Prisma.JobUpdateManyMutationInput;
  readonly connection?: Prisma.ConnectionUncheckedUpdateInput;
}

export type ReadResult =
  | ({ readonly outcome: "succeeded" } & Findings)
  | ({ readonly outcome: "failed"; readonly errorCode: JobErrorCode } & Findings)
  /** A call failed after earlier calls succeeded; their results are stored. */
  | ({ readonly outcome: "interrupted"; readonly error: ProviderError } & Findings);

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
    const fault: ReadResult = { outcome: "interrupted", error: asProviderError(service, job, error) };
    await inAttempt(service, job, (locked) => write(service, job, locked, fault, now));
  }
}

/** Treats unexpected errors as transient, with the same retry limit. */
export function asProviderError(service: Service, job: Job, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  service.logger.error({ err: error, jobId: job.id, kind: job.kind }, "read job failed with an unexpected error");
  return new ProviderError("unavailable", "unexpected error");
}

async function write(
  service: Service,
  job: Job,
  { transaction, connection }: AttemptTransaction,
  result: ReadResult,
  now: Date,
): Promise<void> {
  if (connection === null) throw new StaleAttemptError();
  const { capabilities: offeredCapabilities } = await loadRegistration(transaction, connection.registrationId);
  const access = { ...connection, offeredCapabilities };
  const refusal = checkContentAccess(access, capabilitiesOfRead(job.kind), null);
  if (refusal !== null) return failRead(transaction, job, jobErrorCode(refusal.code), now);

  const withMetrics = servedCapabilities(access).includes("CONTENT_METRICS");
  await upsertContent(transaction, connection.id, result.observed ?? [], withMetrics);
  await markDeleted(transaction, connection.id, result.deleted ?? [], now);
  switch (result.outcome) {
    case "succeeded":
      if (result.connection !== undefined) await updateConnection(transaction, connection.id, result.connection, now);
      return succeed(transaction, job, now, { ...result.job, failures: 0 });
    case "failed":
      return failRead(transaction, job, result.errorCode, now, result.job);
    case "interrupted":
      return interrupt(service, transaction, job, connection, result, now);
  }
}

async function interrupt(
  service: Service,
  transaction: Transaction,
  job: Job,
  connection: Connection,
  { error, ...findings }: Extract<ReadResult, { outcome: "interrupted" }>,
  now: Date,
): Promise<void> {
  service.logger.warn(
    { jobId: job.id, kind: job.kind, fault: error.kind, reason: error.message },
    "provider read failed",
  );
  switch (error.kind) {
    case "grant_gone":
      await markGrantRevoked(transaction, connection, error.appRemoved, now);
      return failRead(transaction, job, "RECONNECT_REQUIRED", now, findings.job);
    case "scope_missing":
      return failRead(transaction, job, "CAPABILITY_UNAVAILABLE", now, findings.job);
    case "rejected":
      return failRead(transaction, job, "UPSTREAM_UNAVAILABLE", now, findings.job);
    case "access_expired":
    case "rate_limited":
    case "unavailable": {
      const retry = retryAfter(service, job, error, now, (findings.observed ?? []).length > 0);
      const limited = error.kind === "rate_limited";
      if (retry === null || (limited && shouldLeaveToSchedule(job, retry.at, now))) {
        const errorCode = limited ? "UPSTREAM_RATE_LIMITED" : "UPSTREAM_UNAVAILABLE";
        await failRead(transaction, job, errorCode, now, findings.job);
        if (retry === null) return;
        const due = nextAfterLimit(job, connection, retry.at);
        return updateConnection(transaction, connection.id, due, now);
      }
      if (job.kind === "SCAN") {
        await updateConnection(transaction, connection.id, { syncStatus: "FAILED", nextRetryAt: retry.at }, now);
      }
      return retryLater(service, transaction, job, retry, findings.job);
    }
  }
}

async function failRead(
  transaction: Transaction,
  job: Job,
  errorCode: JobErrorCode,
  now: Date,
  data: Prisma.JobUpdateManyMutationInput = {},
): Promise<void> {
  if (job.kind === "SCAN") {
    await updateConnection(transaction, job.connectionId, { syncStatus: "FAILED", nextRetryAt: null }, now);
  }
  await fail(transaction, job, errorCode, now, data);
}

async function updateConnection(
  transaction: Transaction,
  id: string,
  data: Prisma.ConnectionUncheckedUpdateInput,
  now: Date,
): Promise<void> {
  await transaction.connection.update({ where: { id }, data: { ...data, updatedAt: now } });
}
