import { AUDITED, asEmailAddress } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { actorName, SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, InvalidInputError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

/** The address as it is kept and compared. Throws when it is none. */
export function memberEmail(text: string): string {
  const email = asEmailAddress(text);
  if (email === null) throw new InvalidInputError("email", "This is not an e-mail address.");
  return email;
}

/** Puts an e-mail address on the list of admins. Whoever first signs in with it, verified, is that admin from then on. */
export async function addAdmin(
  service: Pick<Service, "prisma" | "clock">,
  actor: AdminActor,
  address: string,
): Promise<AdminMember> {
  const normalized = memberEmail(address);
  const now = await service.clock.now();
  const id = newId();
  return adminTransaction(service, async (transaction) => {
    // Not an insert that may fail: a failed statement would end the transaction without saying which rule it was.
    const { count } = await transaction.adminMember.createMany({
      data: [{ id, email: normalized, addedAt: now, addedBy: actorName(actor) }],
      skipDuplicates: true,
    });
    if (count === 0) throw new ConflictError("ALREADY_PRESENT", "This address is on the list of admins already.");
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.adminAdded(normalized),
      target: { type: "ADMIN", id },
    });
    return transaction.adminMember.findUniqueOrThrow({ where: { id } });
  });
}

/** Puts the deployment's first admins on the list, while nobody is on it: later the list is the admins' own. */
export async function addFirstAdmins(
  service: Pick<Service, "prisma" | "clock">,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0 || (await service.prisma.adminMember.count()) > 0) return;
  for (const email of emails) {
    await addAdmin(service, SYSTEM, email).catch((error: unknown) => {
      // Another process that starts at the same time was first.
      if (!(error instanceof ConflictError)) throw error;
    });
  }
}
