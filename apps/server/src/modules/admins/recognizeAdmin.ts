import { AUDITED, asEmailAddress } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockAdmin } from "./readAdmins.ts";

/** Who the issuer says has signed in. */
export interface SignedInAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/**
 * The admin who signed in, or null. An admin is a verified e-mail address on the list, and from the first sign-in on the
 * one account at the issuer that had it then: another account that comes to have the same address is nobody.
 */
export async function recognizeAdmin(
  service: Service,
  account: SignedInAccount,
  now: Date,
): Promise<AdminMember | null> {
  const { issuer, subject } = account;
  const email = account.emailVerified ? asEmailAddress(account.email ?? "") : null;
  if (email === null) return null;
  const found = await service.prisma.adminMember.findUnique({ where: { email } });
  if (found === null) return null;
  if (found.subject !== null) return found.issuer === issuer && found.subject === subject ? found : null;
  return adminTransaction(service, async (transaction) => {
    const member = await lockAdmin(transaction, found.id);
    // Somebody else with the same address may have been first.
    if (member.subject !== null) return member.issuer === issuer && member.subject === subject ? member : null;
    const isTaken = (await transaction.adminMember.count({ where: { issuer, subject } })) > 0;
    if (isTaken) return null;
    await recordAudit(transaction, {
      actor: SYSTEM,
      at: now,
      ...AUDITED.adminFirstSignIn(member.email),
      target: { type: "ADMIN", id: member.id },
    });
    return transaction.adminMember.update({ where: { id: member.id }, data: { issuer, subject, boundAt: now } });
  });
}
