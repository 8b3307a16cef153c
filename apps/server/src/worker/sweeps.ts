import { ADVANCE_DATA_DELETIONS } from "../modules/data-deletion/advanceDeletion.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "../modules/disconnect/runRevoke.ts";
import { REENCRYPT_SWEEPS } from "../modules/encryption/reencryptStale.ts";
import { ENQUEUE_DUE_DELIVERIES } from "../modules/events/enqueueDue.ts";
import { FORGET_SUBJECTS } from "../modules/events/forgetSubjects.ts";
import { ENQUEUE_BACKGROUND_READS } from "../modules/jobs/enqueueBackgroundReads.ts";
import { EXPIRE_ATTEMPTS } from "../modules/retention/expireAttempts.ts";
import { DELETE_REDEEMED_RESULTS, PURGE_SWEEPS } from "../modules/retention/purge.ts";
import { DELETE_ENDED_REVOCATIONS } from "../modules/revocations/providerRevocations.ts";
import { ROLLUP_HOURLY_SWEEPS, ROLLUP_SWEEPS } from "../modules/rollups/rollupSweeps.ts";
import type { Sweep } from "../modules/sweeps/sweep.ts";
import { REQUEUE_LOST_TASKS, REQUEUE_ORPHANED_GRANTS } from "./requeue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const MINUTE_SWEEPS: readonly Sweep[] = [
  ...EXPIRE_ATTEMPTS,
  REQUEUE_LOST_TASKS,
  REQUEUE_ORPHANED_GRANTS,
  RECONCILE_REVOKE_SETTLEMENTS,
  ADVANCE_DATA_DELETIONS,
  DELETE_ENDED_REVOCATIONS,
  DELETE_REDEEMED_RESULTS,
  ENQUEUE_BACKGROUND_READS,
  ENQUEUE_DUE_DELIVERIES,
  ...ROLLUP_SWEEPS,
];

export const HOURLY_SWEEPS: readonly Sweep[] = [
  FORGET_SUBJECTS,
  ...PURGE_SWEEPS,
  ...REENCRYPT_SWEEPS,
  ...ROLLUP_HOURLY_SWEEPS,
];

/** Every sweep and its interval. */
export const KNOWN_SWEEPS = [
  ...MINUTE_SWEEPS.map(({ name }) => ({ name, intervalMs: MINUTE_MS })),
  ...HOURLY_SWEEPS.map(({ name }) => ({ name, intervalMs: HOUR_MS })),
];
