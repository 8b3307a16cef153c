import { accepted, ConflictError, decideAddAdmin } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { type AdminActor, actorName, SYSTEM } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";

export async function addAdmin(
  service: Pick<Service, "prisma" | "clock">,
  actor: AdminActor,
  address: string,
): Promise<AdminMember> {
  const now = await service.clock.now();
  const id = newId();
  const decide = (isListed: boolean) =>
    accepted(decideAddAdmin({ isListed, addedBy: actorName(actor) }, address, id, now));
  return adminTransaction(service, async (transaction) => {
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
