import { adminEmailOf, decideRecognizeAdmin, isRefusal, type SignedInAccount } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockAdmin } from "./readAdmins.ts";

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
