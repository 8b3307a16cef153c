import { addMs, EXPIRED_CONTENT, purgeBefore, REPETITION_MS } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { ownedBy } from "../../platform/distribution/shardGroups.ts";
import { CONTENT_COLUMNS, CONTENT_IS_OPEN } from "../content/contentColumns.ts";
import {
  deletionSweep,
  groupSweep,
  idsOf,
  localDeletionSweep,
  type Sweep,
  timestamp,
  updateSweep,
} from "../sweeps/sweep.ts";

const CLEAR_CONTENT = Prisma.raw(CONTENT_COLUMNS.map(({ column }) => `${column} = NULL`).join(", "));
const IS_OPEN = Prisma.raw(CONTENT_IS_OPEN);

/**
 * Metrics have the age of their post, so they are deleted together. The row keeps its ids, so that reads return EXPIRED.
 *
 * A new observation leaves `observed_since`, the bound by which this sweep finds old posts. A post that was observed since is
 * not due: the sweep moves its bound, once in 30 days.
 */
const EXPIRE_CONTENT = groupSweep(
  "expireContent",
  {
    table: "content_item",
    order: "observed_since",
    due: (now) => Prisma.sql`${IS_OPEN} AND observed_since < ${timestamp(purgeBefore("content", now))}`,
  },
  async ({ prisma }, group, due, now) => {
    const { kind, availability, reason } = EXPIRED_CONTENT;
    const owned = ownedBy(group);
    // A new observation waits for the lock, or is seen here.
    const [row] = await prisma.$queryRaw<{ count: number }[]>`
      WITH due AS (
        SELECT id, observed_at < ${timestamp(purgeBefore("content", now))} AND reason IS DISTINCT FROM ${reason} AS expires
          FROM content_item WHERE ${owned} AND id = ANY(${idsOf(group)}::uuid[]) AND ${due} FOR UPDATE SKIP LOCKED),
      moved AS (
        UPDATE content_item SET observed_since = observed_at
         WHERE ${owned} AND id = ANY (ARRAY(SELECT id FROM due WHERE NOT expires))),
      expired AS (
        UPDATE content_item SET ${CLEAR_CONTENT}, kind = ${kind}::content_kind,
               availability = ${availability}::availability, reason = ${reason}, metrics = '[]',
               metrics_observed_at = NULL, observed_since = observed_at
         WHERE ${owned} AND id = ANY (ARRAY(SELECT id FROM due WHERE expires)))
      SELECT count(*)::int AS count FROM due`;
    return row?.count ?? 0;
  },
);

const EXPIRE_PROFILES = updateSweep("expireProfiles", {
  table: "connection",
  order: "profile_observed_at",
  due: (now) => Prisma.sql`profile_observed_at < ${timestamp(purgeBefore("profile", now))}`,
  set: Prisma.sql`display_name = NULL, handle = NULL, avatar_url = NULL, profile_url = NULL, description = NULL,
                  profile_observed_at = NULL`,
});

const DELETE_JOBS = deletionSweep("deleteJobs", {
  table: "job",
  // The index is on the creation time, which is before the end of the job.
  order: "created_at",
  due: (now) => {
    const cutoff = timestamp(purgeBefore("job", now));
    return Prisma.sql`created_at < ${cutoff} AND finished_at < ${cutoff} AND kind NOT IN ('REVOKE', 'ERASE')`;
  },
});

/** Receipts of unfinished jobs remain, because the jobs need them. */
const DELETE_RECEIPTS = deletionSweep("deleteReceipts", {
  table: "job",
  order: "created_at",
  due: (now) => Prisma.sql`created_at < ${timestamp(purgeBefore("receipt", now))} AND kind IN ('REVOKE', 'ERASE')
    AND status NOT IN ('QUEUED', 'RUNNING')`,
});

/** With their deliveries. */
const DELETE_EVENTS = deletionSweep("deleteEvents", {
  table: "event",
  order: "occurred_at",
  due: (now) => Prisma.sql`occurred_at < ${timestamp(purgeBefore("event", now))}`,
});

const DELETE_AUDIT_ENTRIES = localDeletionSweep("deleteAuditEntries", {
  table: "audit_entry",
  order: "at",
  due: (now) => Prisma.sql`at < ${timestamp(purgeBefore("auditEntry", now))}`,
});

const DELETE_DATA_DELETIONS = localDeletionSweep("deleteDataDeletions", {
  table: "data_deletion",
  order: "requested_at",
  due: (now) => Prisma.sql`requested_at < ${timestamp(purgeBefore("dataDeletion", now))}`,
});

/** Revoked and expired keys remain as long as the audit log may refer to them. */
const DELETE_ADMIN_KEYS = localDeletionSweep("deleteAdminKeys", {
  table: "admin_api_key",
  order: "created_at",
  due: (now) => Prisma.sql`least(expires_at, revoked_at) < ${timestamp(purgeBefore("auditEntry", now))}`,
});

/** Results that a repetition of their redeem can no longer read. */
export const DELETE_REDEEMED_RESULTS = updateSweep("deleteRedeemedResults", {
  table: "identity_attempt",
  order: "redeemed_at",
  due: (now) => Prisma.sql`redeem_key_hash IS NOT NULL AND redeemed_at <= ${timestamp(addMs(now, -REPETITION_MS))}`,
  set: Prisma.sql`redeem_key_hash = NULL, result_sealed = NULL`,
});

/** The rows of a table whose end is in a column. */
function ended(table: string, order: string) {
  return { table, order, due: (now: Date) => Prisma.sql`${Prisma.raw(order)} <= ${timestamp(now)}` };
}

/** Delete data after its retention period, by the same limits that reads enforce. Source: service description, part 8. */
export const PURGE_SWEEPS: readonly Sweep[] = [
  EXPIRE_CONTENT,
  EXPIRE_PROFILES,
  DELETE_JOBS,
  DELETE_RECEIPTS,
  DELETE_EVENTS,
  // A grant left by such an attempt remains; the sweep of orphaned grants revokes it.
  deletionSweep("deleteConnectAttempts", ended("connect_attempt", "result_expires_at")),
  // With the tokens of the unfinished ones, which are not revoked.
  deletionSweep("deleteImportLines", {
    table: "import_line",
    order: "created_at",
    due: (now) => Prisma.sql`created_at < ${timestamp(purgeBefore("importLine", now))}`,
  }),
  deletionSweep("deleteIdentityAttempts", ended("identity_attempt", "result_expires_at")),
  localDeletionSweep("deleteBudgets", {
    ...ended("provider_quota", "window_ends_at"),
    key: "registration_id, budget, window_start",
  }),
  DELETE_AUDIT_ENTRIES,
  DELETE_DATA_DELETIONS,
  DELETE_ADMIN_KEYS,
  localDeletionSweep("deleteAdminSessions", ended("admin_session", "expires_at")),
  localDeletionSweep("deleteAdminSignIns", ended("admin_sign_in", "expires_at")),
];
