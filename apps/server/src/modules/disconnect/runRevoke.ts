import type { RevokeResult } from "@social-connect/domain";
import { revokeOutcome } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { ProviderError } from "../../providers/contract.ts";
import { revokeGrantOfConnection } from "../grants/revokeGrant.ts";
import { claimJob, inAttempt, retryAfter, retryLater, StaleAttemptError, updateAttempt } from "../jobs/jobAttempt.ts";
import type { Service } from "../service.ts";
import { settleRevoke } from "./settleRevoke.ts";

type Try = { readonly result: RevokeResult } | { readonly fault: ProviderError };

/**
 * Revokes the grant of a disconnected connection at the provider. Retries transient failures for up to 24 hours. After
 * that, or after a rejection, the receipt requests that the user remove the app at the provider.
 */
export async function runRevoke(service: Service, jobId: string): Promise<void> {
  const job = await claimJob(service, jobId);
  if (job === null) return;
  const tried = await tryRevoke(service, job);
  try {
    await settle(service, job, tried);
  } catch (error) {
    if (!(error instanceof StaleAttemptError)) throw error;
    service.logger.info({ jobId: job.id, attempt: job.attempt }, "discarded the result of a superseded revoke attempt");
  }
}

async function tryRevoke(service: Service, job: Job): Promise<Try> {
  const connection = await service.prisma.connection.findUnique({ where: { id: job.connectionId } });
  if (connection?.appRemovedAt != null) return { result: "app-removed" };
  try {
    return { result: await revokeGrantOfConnection(service, job.provider, job.connectionId) };
  } catch (error) {
    if (error instanceof ProviderError) return { fault: error };
    service.logger.error({ err: error, jobId: job.id }, "revoke failed with an unexpected error");
    return { fault: new ProviderError("unavailable", "unexpected error") };
  }
}

async function settle(service: Service, job: Job, tried: Try): Promise<void> {
  const now = await service.clock.now();
  await inAttempt(service, job, async ({ transaction, connection }) => {
    if ("fault" in tried) {
      const retry = retryAfter(service, job, tried.fault, now);
      if (retry !== null) return retryLater(service, transaction, job, retry);
    }
    const receipt = revokeOutcome("fault" in tried ? "rejected" : tried.result);
    await updateAttempt(transaction, job, { ...receipt, nextRetryAt: null, finishedAt: now });
    await settleRevoke(service, transaction, { id: job.id, connection }, now);
  });
}
