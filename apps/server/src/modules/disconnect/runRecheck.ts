import { connectionRevocationKeys, moveConnection } from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { orderRechecks } from "../connections/orderRechecks.ts";
import { markGrantRevoked } from "../grants/markGrantRevoked.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import { claimJob, inAttempt, retryAfter, retryLater, StaleAttemptError, succeed } from "../jobs/jobAttempt.ts";
import { findRevocationSince, nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";
import { dropWhenSettled, lockSettlement } from "./settleRevoke.ts";
import { siblingsOf } from "./siblingsOf.ts";

interface Answer {
  readonly verdict:
    | { readonly active: true }
    | { readonly active: false; readonly appRemoved: boolean }
    | { readonly fault: ProviderError };
  /** The revocation counter before the call to the provider. */
  readonly generation: bigint;
}

interface Decision {
  readonly service: Service;
  readonly job: Job;
  readonly transaction: Transaction;
  readonly now: Date;
}

/**
 * Checks at the provider whether a grant survived a revoke that may have ended it. A suspended connection becomes
 * CONNECTED or RECONNECT_REQUIRED; the latter also if the check fails for 7 days. A connected one, which a revoke can
 * affect without being its sibling's, remains CONNECTED or becomes RECONNECT_REQUIRED.
 */
export async function runRecheck(service: Service, jobId: string): Promise<void> {
  const job = await claimJob(service, jobId);
  if (job === null) return;
  const connection = await service.prisma.connection.findUnique({ where: { id: job.connectionId } });
  const answer = connection !== null && isChecked(connection) ? await ask(service, job, connection) : null;
  const now = await service.clock.now();
  try {
    await inAttempt(service, job, ({ transaction, connection: locked }) =>
      decide({ service, job, transaction, now }, locked, answer),
    );
  } catch (error) {
    if (!(error instanceof StaleAttemptError)) throw error;
    service.logger.info(
      { jobId: job.id, attempt: job.attempt },
      "discarded the result of a superseded re-check attempt",
    );
  }
}

function isChecked({ status }: Connection): boolean {
  return status === "SUSPENDED" || status === "CONNECTED";
}

async function ask(service: Service, job: Job, connection: Connection): Promise<Answer> {
  const generation = await nextRevocationGeneration(service.prisma);
  return { generation, verdict: await verdictOf(service, job, connection) };
}

async function verdictOf(service: Service, job: Job, connection: Connection): Promise<Answer["verdict"]> {
  const adapter = service.provider(connection.provider);
  try {
    const account = await withProviderSession(service, connection.id, (session) => adapter.readAccount(session));
    return account.providerAccountId === connection.providerAccountId
      ? { active: true }
      : { active: false, appRemoved: false };
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      service.logger.error({ err: error, jobId: job.id }, "re-check failed with an unexpected error");
      return { fault: new ProviderError("unavailable", "unexpected error") };
    }
    switch (error.kind) {
      case "scope_missing":
        // The provider accepts the grant and only rejects the scope.
        return { active: true };
      case "grant_gone":
      case "rejected":
        return { active: false, appRemoved: error.appRemoved };
      default:
        return { fault: error };
    }
  }
}

async function decide(decision: Decision, connection: Connection | null, answer: Answer | null): Promise<void> {
  const { job, transaction, now } = decision;
  const revokeJobId = connection?.suspendedByJobId ?? null;
  if (revokeJobId !== null) await lockSettlement(transaction, revokeJobId);
  // Reconnected or disconnected during the check.
  const isDecided = connection === null || answer === null || !isChecked(connection);
  if (!isDecided && (await apply(decision, connection, answer)) === "retry") return;
  await succeed(transaction, job, now);
  if (revokeJobId !== null) await dropWhenSettled(transaction, revokeJobId);
}

/** `retry` means that the job is queued again. */
async function apply(
  { service, job, transaction, now }: Decision,
  connection: Connection,
  { verdict, generation }: Answer,
): Promise<"retry" | "done"> {
  if ("fault" in verdict) {
    const retry = retryAfter(service, job, verdict.fault, now);
    if (retry !== null) {
      await retryLater(service, transaction, job, retry);
      return "retry";
    }
    // The grant stays ACTIVE: the provider never reported it as revoked, so a disconnect must still revoke it.
    await moveSuspended(transaction, connection, "RECHECK_FAILED", now);
    return "done";
  }
  const { traits } = service.provider(connection.provider);
  if (!verdict.active) {
    await markGrantRevoked(transaction, connection, verdict.appRemoved, now);
    // What revoked this grant may have revoked others of the same consent, even if the revoke was not a sibling's.
    if (traits.revokeAffectsSiblings) await orderRechecks(service, transaction, siblingsOf(connection), now);
    return "done";
  }
  const other = await findRevocationSince(transaction, connectionRevocationKeys(connection, traits), generation);
  if (other === null) {
    await moveSuspended(transaction, connection, "RECHECK_PASSED", now);
    return "done";
  }
  // Another revoke may end this grant after the check. The end of a revoke job enqueues the next re-check.
  const isOpenJob =
    connection.status === "SUSPENDED" &&
    !other.isEnded &&
    (await transaction.job.count({ where: { id: other.id, kind: "REVOKE" } })) > 0;
  if (isOpenJob) {
    await transaction.connection.update({ where: { id: connection.id }, data: { suspendedByJobId: other.id } });
    return "done";
  }
  const fault = new ProviderError("unavailable", "another revoke ended during the provider call");
  const retry = retryAfter(service, { ...job, failures: 0, createdAt: now }, fault, now);
  if (retry === null) return "done";
  await retryLater(service, transaction, job, retry);
  return "retry";
}

async function moveSuspended(
  transaction: Transaction,
  connection: Connection,
  event: "RECHECK_PASSED" | "RECHECK_FAILED",
  now: Date,
): Promise<void> {
  if (connection.status !== "SUSPENDED") return;
  const status = moveConnection(connection.status, event);
  if (status === null) return;
  // A failed re-check stops background reads; a passed one keeps the schedule.
  const schedule = event === "RECHECK_FAILED" ? { nextRetryAt: null, nextScanAt: null, nextProfileAt: null } : {};
  await transaction.connection.update({
    where: { id: connection.id },
    data: { status, suspendedByJobId: null, ...schedule, updatedAt: now },
  });
}
