import { EXPIRED_CONTENT, purgeBefore } from "@social-connect/domain";
import { Prisma } from "../../_generated/prisma/client.ts";
import { CONTENT_COLUMNS } from "../content/contentColumns.ts";
import { deleteEndedBudgets } from "../quota/deleteBudgets.ts";
import type { Service } from "../service.ts";

/** Rows per statement, which bounds lock time. */
const BATCH = 1_000;

export type PurgeCounts = Readonly<Record<string, number>>;

/**
 * Deletes data after its retention period, by the same limits that reads enforce. An expired post keeps its IDs and
 * observation time, to return EXPIRED. Safe to run concurrently in several processes: each statement checks the rows
 * again. Source: service description, part 8.
 */
export async function purge(service: Service): Promise<PurgeCounts> {
  const now = await service.clock.now();
  return {
    content: await inBatches((limit) => expireContent(service, purgeBefore("content", now), limit)),
    profiles: await expireProfiles(service, purgeBefore("profile", now)),
    jobs: await inBatches((limit) => deleteJobs(service, purgeBefore("job", now), limit)),
    receipts: await inBatches((limit) => deleteReceipts(service, purgeBefore("receipt", now), limit)),
    connectAttempts: await deleteConnectAttempts(service, now),
    identityAttempts: await deleteIdentityAttempts(service, now),
    budgets: await deleteEndedBudgets(service, now),
    auditEntries: await inBatches((limit) => deleteAuditEntries(service, purgeBefore("auditEntry", now), limit)),
    adminKeys: await deleteInactiveAdminKeys(service, purgeBefore("auditEntry", now)),
    adminSessions: await deleteAdminSessions(service, now),
  };
}

async function inBatches(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await step(BATCH);
    total += changed;
    if (changed < BATCH) return total;
  }
}

const CLEAR_CONTENT = Prisma.raw(CONTENT_COLUMNS.map(({ column }) => `${column} = NULL`).join(", "));

/** Metrics have the age of their post, so they are deleted together. */
function expireContent(service: Service, before: Date, limit: number): Promise<number> {
  const { kind, availability, reason } = EXPIRED_CONTENT;
  const cutoff = before.toISOString();
  // The update checks the age again, because a new observation may arrive after the search. The search skips expired
  // posts, which are most of the old ones, with three index ranges.
  return service.prisma.$executeRaw`
    UPDATE content_item SET ${CLEAR_CONTENT}, kind = ${kind}::content_kind, availability = ${availability}::availability,
           reason = ${reason}, metrics = '[]', metrics_observed_at = NULL
     WHERE observed_at < ${cutoff}::timestamptz AND reason IS DISTINCT FROM ${reason} AND id = ANY (ARRAY(
       SELECT id FROM (
         (SELECT id FROM content_item WHERE reason IS NULL AND observed_at < ${cutoff}::timestamptz
           ORDER BY observed_at LIMIT ${limit})
         UNION ALL
         SELECT id FROM content_item WHERE reason < ${reason} AND observed_at < ${cutoff}::timestamptz
         UNION ALL
         SELECT id FROM content_item WHERE reason > ${reason} AND observed_at < ${cutoff}::timestamptz
       ) AS old LIMIT ${limit}))`;
}

async function expireProfiles(service: Service, before: Date): Promise<number> {
  const { count } = await service.prisma.connection.updateMany({
    where: { profileObservedAt: { lt: before } },
    data: {
      displayName: null,
      handle: null,
      avatarUrl: null,
      profileUrl: null,
      description: null,
      profileObservedAt: null,
    },
  });
  return count;
}

function deleteJobs(service: Service, before: Date, limit: number): Promise<number> {
  // The index is on the creation time, which is before the end of the job.
  return service.prisma.$executeRaw`
    DELETE FROM job WHERE id IN (
      SELECT id FROM job
       WHERE created_at < ${before.toISOString()}::timestamptz AND finished_at < ${before.toISOString()}::timestamptz
         AND kind NOT IN ('REVOKE', 'ERASE')
       LIMIT ${limit})`;
}

/** Receipts of unfinished jobs remain, because the jobs need them. */
function deleteReceipts(service: Service, before: Date, limit: number): Promise<number> {
  return service.prisma.$executeRaw`
    DELETE FROM job WHERE id IN (
      SELECT id FROM job WHERE created_at < ${before.toISOString()}::timestamptz AND kind IN ('REVOKE', 'ERASE')
         AND status NOT IN ('QUEUED', 'RUNNING') LIMIT ${limit})`;
}

/** A grant left by such an attempt remains; the sweep of orphaned grants revokes it. */
async function deleteConnectAttempts(service: Service, now: Date): Promise<number> {
  return (await service.prisma.connectAttempt.deleteMany({ where: { resultExpiresAt: { lte: now } } })).count;
}

async function deleteIdentityAttempts(service: Service, now: Date): Promise<number> {
  return (await service.prisma.identityAttempt.deleteMany({ where: { resultExpiresAt: { lte: now } } })).count;
}

function deleteAuditEntries(service: Service, before: Date, limit: number): Promise<number> {
  return service.prisma.$executeRaw`
    DELETE FROM audit_entry WHERE id IN (
      SELECT id FROM audit_entry WHERE at < ${before.toISOString()}::timestamptz LIMIT ${limit})`;
}

/** Revoked and expired keys remain as long as the audit log may refer to them. */
async function deleteInactiveAdminKeys(service: Service, before: Date): Promise<number> {
  const { count } = await service.prisma.adminApiKey.deleteMany({
    where: { OR: [{ expiresAt: { lt: before } }, { revokedAt: { lt: before } }] },
  });
  return count;
}

/** Deletes expired sessions and sign-ins. */
async function deleteAdminSessions(service: Service, now: Date): Promise<number> {
  const ended = { where: { expiresAt: { lte: now } } };
  const [sessions, signIns] = await Promise.all([
    service.prisma.adminSession.deleteMany(ended),
    service.prisma.adminSignIn.deleteMany(ended),
  ]);
  return sessions.count + signIns.count;
}
