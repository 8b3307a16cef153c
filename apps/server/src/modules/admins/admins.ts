import {
  accepted,
  adminEmailOf,
  ConflictError,
  decideAddAdmin,
  decideRecognizeAdmin,
  decideRemoveAdmin,
  isRefusal,
  isSessionAlive,
  type SignedInAccount,
} from "@social-connect/domain";
import type { AdminMember, Prisma } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/database/locks.ts";
import { newId } from "../../platform/ids.ts";
import { asUuid } from "../../platform/uuid.ts";
import { type AdminActor, actorName, SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";

export async function addAdmin(
  service: Pick<Service, "prisma" | "clock">,
  actor: AdminActor,
  address: string,
): Promise<AdminMember> {
  const id = newId();
  return adminTransaction(service, async (transaction, now) => {
    const decide = (isListed: boolean) =>
      accepted(decideAddAdmin({ isListed, addedBy: actorName(actor) }, address, id, now));
    const { patch, audit } = decide(false);
    // A failed insert would end the transaction; this one reports an existing address, also under parallel calls.
    const { count } = await transaction.adminMember.createMany({ data: [patch], skipDuplicates: true });
    if (count === 0) decide(true);
    await recordAudit(transaction, actor, now, audit);
    return transaction.adminMember.findUniqueOrThrow({ where: { id } });
  });
}

/** Adds the deployment's first admins while the list is empty; later only admins change it. */
export async function addFirstAdmins(
  service: Pick<Service, "prisma" | "clock">,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0 || (await service.prisma.adminMember.count()) > 0) return;
  for (const email of emails) {
    await addAdmin(service, SYSTEM, email).catch((error: unknown) => {
      // A process that started concurrently was first.
      if (!(error instanceof ConflictError)) throw error;
    });
  }
}

/** Removes an admin; their sessions are deleted with the row. */
export async function removeAdmin(service: Service, actor: AdminActor, id: string): Promise<AdminMember> {
  return adminTransaction(service, async (transaction, now) => {
    // When two admins remove each other concurrently, one stays.
    await lockUntilCommit(transaction, "admin-members");
    const admin = await lockAdmin(transaction, id);
    const adminCount = await transaction.adminMember.count();
    const keys = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM admin_api_key WHERE member_id = ${admin?.id}::uuid AND revoked_at IS NULL FOR UPDATE`;
    const unrevokedKeyIds = keys.map((key) => key.id);
    const { sessions } = await measureRemoval(transaction, admin?.id ?? null, now);
    const { audit, followUps } = accepted(decideRemoveAdmin({ admin, adminCount, unrevokedKeyIds, sessions }, now));
    for (const { keyIds, patch } of followUps) {
      await transaction.adminApiKey.updateMany({ where: { id: { in: [...keyIds] } }, data: patch });
    }
    await recordAudit(transaction, actor, now, audit);
    return transaction.adminMember.delete({ where: { id: audit.target.id } });
  });
}

/** The admin's keys that are not revoked, expired ones included, and sessions that have not ended. */
export async function measureRemoval(client: Service["prisma"] | Transaction, memberId: string | null, now: Date) {
  if (memberId === null) return { keys: 0, sessions: 0 };
  const sessions = await client.adminSession.findMany({ where: { memberId } });
  return {
    keys: await client.adminApiKey.count({ where: { memberId, revokedAt: null } }),
    sessions: sessions.filter((session) => isSessionAlive(session, now)).length,
  };
}

/** The admin whose account signed in; null when the account belongs to no admin. */
export async function recognizeAdmin(
  service: Service,
  account: SignedInAccount,
  now: Date,
): Promise<AdminMember | null> {
  const { issuer, subject } = account;
  const email = adminEmailOf(account);
  const found = email === null ? null : await service.prisma.adminMember.findUnique({ where: { email } });
  if (found === null) return null;
  return adminTransaction(service, async (transaction) => {
    const admin = await lockAdmin(transaction, found.id);
    const isAccountTaken = (await transaction.adminMember.count({ where: { issuer, subject } })) > 0;
    const change = decideRecognizeAdmin({ admin, isAccountTaken }, account, now);
    if (isRefusal(change)) return null;
    if (change === null) return admin;
    await recordAudit(transaction, SYSTEM, now, change.audit);
    return transaction.adminMember.update({ where: { id: found.id }, data: change.patch });
  });
}

/** The admin's row, locked until the transaction ends; null for an unknown id. */
export async function lockAdmin(transaction: Transaction, id: string): Promise<AdminMember | null> {
  const memberId = asUuid(id);
  if (memberId === null) return null;
  await transaction.$queryRaw`SELECT 1 FROM admin_member WHERE id = ${memberId}::uuid FOR UPDATE`;
  return transaction.adminMember.findUnique({ where: { id: memberId } });
}

/** All admins, oldest first. */
export function listAdmins<Query extends Prisma.AdminMemberFindManyArgs>(
  { prisma }: Service,
  query: Query,
): Promise<AdminMember[]> {
  return prisma.adminMember.findMany({ ...query, orderBy: [{ addedAt: "asc" }, { id: "asc" }] });
}
