import { reconcileRevokeSettlements } from "../modules/disconnect/reconcileRevokeSettlements.ts";
import { reencryptStale } from "../modules/encryption/reencryptStale.ts";
import { enqueueBackgroundReads } from "../modules/jobs/enqueueBackgroundReads.ts";
import { expireAttempts } from "../modules/retention/expireAttempts.ts";
import { purge } from "../modules/retention/purge.ts";
import { deleteEndedRevocations } from "../modules/revocations/providerRevocations.ts";
import type { Service } from "../modules/service.ts";
import { requeueLostTasks, requeueOrphanedGrants } from "./requeue.ts";

type Sweep = readonly [name: string, run: (service: Service) => Promise<unknown>];

const EACH_MINUTE: readonly Sweep[] = [
  ["requeueLostTasks", requeueLostTasks],
  ["requeueOrphanedGrants", requeueOrphanedGrants],
  ["reconcileRevokeSettlements", reconcileRevokeSettlements],
  ["deleteEndedRevocations", deleteEndedRevocations],
  ["enqueueBackgroundReads", enqueueBackgroundReads],
];

const EACH_HOUR: readonly Sweep[] = [
  ["expireAttempts", expireAttempts],
  ["purge", purge],
  ["reencryptStale", reencryptStale],
];

export async function runMinuteSweeps(service: Service): Promise<void> {
  await runAll(service, EACH_MINUTE);
}

export async function runHourlySweeps(service: Service): Promise<void> {
  await runAll(service, EACH_HOUR);
}

/** Runs all sweeps. A failed sweep does not stop the others and runs again in the next round. */
async function runAll(service: Service, sweeps: readonly Sweep[]): Promise<void> {
  for (const [sweep, run] of sweeps) {
    try {
      const result = await run(service);
      service.logger.debug({ sweep, result }, "swept");
    } catch (error) {
      service.logger.error({ err: error, sweep }, "a sweep failed");
    }
  }
}
