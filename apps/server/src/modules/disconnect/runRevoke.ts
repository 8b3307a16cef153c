import { decideRevokeAttempt, type RevokeResult } from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import type { ProviderError } from "../../providers/contract.ts";
import { revokeGrantOfConnection } from "../grants/revokeGrant.ts";
import { applyJobChange, connectionOf, inAttempt, runAttempt } from "../jobs/jobAttempt.ts";
import { asProviderError } from "../jobs/recordRead.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/**
 * Revokes the grant of a disconnected connection at the provider. Retries transient failures for up to 24 hours. After
 * that, or after a rejection, the receipt requests that the user remove the app at the provider.
 */
export async function runRevoke(service: Service, row: RowKey): Promise<void> {
  await runAttempt(service, row, async (job) => {
    const result = await tryRevoke(service, job);
    const now = await service.clock.now();
    await inAttempt(service, job, async (locked) => {
      const change = decideRevokeAttempt(job, result, locked.connection, service.jitter, now);
      await applyJobChange(service, locked, job, change.job, now);
      await applyFollowUps(service, locked.transaction, job.applicationId, change.followUps, now);
    });
  });
}

async function tryRevoke(service: Service, job: Job): Promise<RevokeResult | ProviderError> {
  const connection = await service.prisma.connection.findUnique({ where: keyOf(connectionOf(job)) });
  if (connection?.appRemovedAt != null) return "app-removed";
  try {
    return await revokeGrantOfConnection(service, job.provider, connectionOf(job));
  } catch (error) {
    return asProviderError(service, job, error);
  }
}
