import type { Capability } from "@social-connect/contract";
import {
  AppError,
  asAskedFor,
  checkContentAccess,
  decideRefresh,
  isRefusal,
  type ReadTarget,
} from "@social-connect/domain";
import type { Job } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/database/locks.ts";
import type { Caller } from "../applications/checkKey.ts";
import type { AccessRow } from "../connections/accessRow.ts";
import { lockConnection } from "../connections/locks.ts";
import { connectionNotFound } from "../connections/readConnection.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import { keyOf } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { countInFlight, createReadJob, findInFlight, targetOf } from "./readJobs.ts";
import { type SyncJobShown, showSyncJob } from "./readSyncJob.ts";

interface ReadRequest {
  readonly connection: Pick<AccessRow, "id" | "offeredCapabilities">;
  readonly needed: readonly Capability[];
  readonly target: ReadTarget;
  readonly continues?: Job;
}

/**
 * Returns an in-flight job for the same read, creates one, or rejects the request. Holds two locks to serialize
 * parallel requests: the application's for the limit, and the connection's for its in-flight jobs.
 */
export async function startRead(
  service: Service,
  caller: Caller,
  request: ReadRequest,
  now: Date,
): Promise<SyncJobShown> {
  const job = await service.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, "read-jobs", caller.application.id);
    const key = { id: request.connection.id, applicationId: caller.application.id };
    const connection = await lockConnection(transaction, key);
    if (connection === null) throw connectionNotFound();
    // A disconnect may have followed the first access check.
    const { offeredCapabilities } = request.connection;
    const refusals = callRefusalsOf(connection);
    const asked = asAskedFor({ ...connection, refusals, offeredCapabilities });
    const refusal = checkContentAccess(asked, request.needed, null);
    if (refusal !== null) throw new AppError(refusal);

    const inFlight = (await findInFlight(transaction, connection)).flatMap((job) => {
      const target = targetOf(job);
      return target === null ? [] : [{ job, target }];
    });
    const decision = decideRefresh(inFlight, await countInFlight(transaction, caller.application.id), request);
    if (isRefusal(decision)) throw new AppError(decision);
    if ("existing" in decision) return askFor(transaction, decision.existing.job);
    return createReadJob(service, transaction, connection, decision.create, now);
  });
  const shown = showSyncJob(service.secretBox, job, now);
  if (shown === null) throw new Error("A job in flight is after its retention period.");
  return shown;
}

/** The application is told of the end of a read of the service's own that it asked for. */
async function askFor(transaction: Transaction, job: Job): Promise<Job> {
  if (!job.background || job.requested) return job;
  return transaction.job.update({ where: keyOf(job), data: { requested: true } });
}
