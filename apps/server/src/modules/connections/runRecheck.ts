import { moveConnection } from "@social-connect/domain";
import type { Connection, Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import type { Service, Transaction } from "../service.ts";
import { claimJob, inAttempt, retryAfter, StaleAttemptError, succeed, tryAgain } from "../sync/jobAttempt.ts";
import { loseGrant } from "../sync/loseGrant.ts";
import { dropWhenSettled, lockSettlement } from "./settleRevoke.ts";

type Verdict =
  | { readonly alive: true }
  | { readonly alive: false; readonly appRemoved: boolean }
  | { readonly fault: ProviderError };

/**
 * Asks the provider whether the grant of a suspended connection has survived the revoke of a sibling's: CONNECTED again,
 * or RECONNECT_REQUIRED, also when the provider could not be asked for 7 days.
 */
export async function runRecheck(service: Service, jobId: string): Promise<void> {
  const job = await claimJob(service, jobId);
  if (job === null) return;
  const connection = await service.prisma.connection.findUnique({ where: { id: job.connectionId } });
  const verdict = connection?.status === "SUSPENDED" ? await ask(service, job, connection) : null;
  const now = await service.clock.now();
  try {
    await inAttempt(service, job, (held) => decide(service, job, held.transaction, held.connection, verdict, now));
  } catch (error) {
    if (!(error instanceof StaleAttemptError)) throw error;
    service.logger.info({ jobId: job.id, attempt: job.attempt }, "an overtaken attempt at a re-check wrote nothing");
  }
}

async function ask(service: Service, job: Job, connection: Connection): Promise<Verdict> {
  const adapter = service.provider(connection.provider);
  try {
    const account = await withProviderSession(service, connection.id, (session) => adapter.readAccount(session));
    return account.providerAccountId === connection.providerAccountId
      ? { alive: true }
      : { alive: false, appRemoved: false };
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      service.logger.error({ err: error, jobId: job.id }, "a re-check met an unexpected fault");
      return { fault: new ProviderError("unavailable", "an unexpected fault") };
    }
    switch (error.kind) {
      case "scope_missing":
        // The provider knows the grant and says what it does not cover.
        return { alive: true };
      case "grant_gone":
      case "rejected":
        return { alive: false, appRemoved: error.appRemoved };
      default:
        return { fault: error };
    }
  }
}

async function decide(
  service: Service,
  job: Job,
  transaction: Transaction,
  connection: Connection | null,
  verdict: Verdict | null,
  now: Date,
): Promise<void> {
  const revokeJobId = connection?.suspendedByJobId ?? null;
  if (revokeJobId !== null) await lockSettlement(transaction, revokeJobId);
  // Reconnected or disconnected meanwhile: there is nothing left to decide.
  if (connection?.status === "SUSPENDED" && verdict !== null) {
    if ("fault" in verdict) {
      const retry = retryAfter(service, job, verdict.fault, now);
      if (retry !== null) return tryAgain(service, transaction, job, retry);
      // The grant stays ACTIVE: the provider never said that it is gone, so a disconnect still has to revoke it.
      await moveSuspended(transaction, connection, "RECHECK_FAILED", now);
    } else if (verdict.alive) {
      await moveSuspended(transaction, connection, "RECHECK_PASSED", now);
    } else {
      await loseGrant(transaction, connection, verdict.appRemoved, now);
    }
  }
  await succeed(transaction, job, now);
  if (revokeJobId !== null) await dropWhenSettled(transaction, revokeJobId);
}

async function moveSuspended(
  transaction: Transaction,
  connection: Connection,
  event: "RECHECK_PASSED" | "RECHECK_FAILED",
  now: Date,
): Promise<void> {
  const status = moveConnection(connection.status, event);
  if (status === null) return;
  // Nothing is read any more where the re-check failed; a passed one keeps its schedule.
  const schedule = event === "RECHECK_FAILED" ? { nextRetryAt: null, nextScanAt: null, nextProfileAt: null } : {};
  await transaction.connection.update({
    where: { id: connection.id },
    data: { status, suspendedByJobId: null, ...schedule, updatedAt: now },
  });
}
