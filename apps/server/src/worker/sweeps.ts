import { addMs } from "@social-connect/domain";
import { Prisma } from "../_generated/prisma/client.ts";
import { ADVANCE_DATA_DELETIONS } from "../modules/data-deletion/advanceDeletion.ts";
import { RECONCILE_REVOKE_SETTLEMENTS } from "../modules/disconnect/runRevoke.ts";
import { REENCRYPT_SWEEPS } from "../modules/encryption/reencryptStale.ts";
import { ENQUEUE_DUE_DELIVERIES } from "../modules/events/enqueueDue.ts";
import { FORGET_SUBJECTS } from "../modules/events/forgetSubjects.ts";
import { ENQUEUE_BACKGROUND_READS } from "../modules/jobs/enqueueBackgroundReads.ts";
import type { KnownSweep } from "../modules/operations/readSweeps.ts";
import { EXPIRE_ATTEMPTS } from "../modules/retention/expireAttempts.ts";
import { DELETE_REDEEMED_RESULTS, PURGE_SWEEPS } from "../modules/retention/purge.ts";
import { DELETE_ENDED_REVOCATIONS } from "../modules/revocations/providerRevocations.ts";
import { ROLLUP_HOURLY_SWEEPS, ROLLUP_SWEEPS } from "../modules/rollups/rollupSweeps.ts";
import { WATCH_INCIDENTS } from "../modules/rollups/watchIncidents.ts";
import { localDeletionSweep, type Sweep, timestamp } from "../modules/sweeps/sweep.ts";
import { REQUEUE_LOST_TASKS, REQUEUE_ORPHANED_GRANTS } from "./requeue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const MINUTE_SWEEPS: readonly Sweep[] = [
  ...EXPIRE_ATTEMPTS,
  REQUEUE_LOST_TASKS,
  REQUEUE_ORPHANED_GRANTS,
  RECONCILE_REVOKE_SETTLEMENTS,
  ADVANCE_DATA_DELETIONS,
  DELETE_ENDED_REVOCATIONS,
  DELETE_REDEEMED_RESULTS,
  WATCH_INCIDENTS,
  ENQUEUE_BACKGROUND_READS,
  ENQUEUE_DUE_DELIVERIES,
  ...ROLLUP_SWEEPS,
];

/** The states of sweeps of another version, which has not run for a day: they would stay late. */
export const FORGET_SWEEPS = localDeletionSweep("forgetSweeps", {
  table: "sweep_state",
  key: "name",
  order: "ran_at",
  due: (now) =>
    Prisma.sql`ran_at < ${timestamp(addMs(now, -DAY_MS))} AND name <> ALL(${KNOWN_SWEEPS.map(({ name }) => name)})`,
});

export const HOURLY_SWEEPS: readonly Sweep[] = [
  FORGET_SWEEPS,
  FORGET_SUBJECTS,
  ...PURGE_SWEEPS,
  ...REENCRYPT_SWEEPS,
  ...ROLLUP_HOURLY_SWEEPS,
];

/** Every sweep and its interval. */
export const KNOWN_SWEEPS: readonly KnownSweep[] = [
  ...MINUTE_SWEEPS.map(({ name }) => ({ name, intervalMs: MINUTE_MS })),
  ...HOURLY_SWEEPS.map(({ name }) => ({ name, intervalMs: HOUR_MS })),
];
