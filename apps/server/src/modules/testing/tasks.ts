/** The background tasks, for tests that know only the id of a row. */
import { revokeOrphanedGrant as revokeOrphanedGrantOf } from "../disconnect/revokeOrphanedGrant.ts";
import { runErase as runEraseOf } from "../disconnect/runErase.ts";
import { runRecheck as runRecheckOf } from "../disconnect/runRecheck.ts";
import { runRevoke as runRevokeOf } from "../disconnect/runRevoke.ts";
import { claimJob as claimJobOf } from "../jobs/jobAttempt.ts";
import { runLookup as runLookupOf } from "../jobs/runLookup.ts";
import { runMetricsRefresh as runMetricsRefreshOf, runProfileRead as runProfileReadOf } from "../jobs/runRead.ts";
import { runScan as runScanOf } from "../jobs/runScan.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";

export const runScan = ofJob(runScanOf);
export const runMetricsRefresh = ofJob(runMetricsRefreshOf);
export const runLookup = ofJob(runLookupOf);
export const runProfileRead = ofJob(runProfileReadOf);
export const runRecheck = ofJob(runRecheckOf);
export const runRevoke = ofJob(runRevokeOf);
export const runErase = ofJob(runEraseOf);
export const claimJob = ofJob(claimJobOf);

export async function revokeOrphanedGrant(service: Service, id: string): Promise<void> {
  const grant = await service.prisma.grant.findFirst({ where: { id } });
  return revokeOrphanedGrantOf(service, grant ?? missing(id));
}

function ofJob<Result>(
  run: (service: Service, row: RowKey) => Promise<Result>,
): (service: Service, id: string) => Promise<Result> {
  return async (service, id) => run(service, (await service.prisma.job.findFirst({ where: { id } })) ?? missing(id));
}

function missing(id: string): RowKey {
  return { id, applicationId: id };
}
