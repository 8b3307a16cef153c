import { AUDITED } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { ConflictError, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockAdmin } from "./readAdmins.ts";

/**
 * Takes an admin off the list. Their keys are revoked and their sessions end with the row, so both are dead at the next
 * call. The last admin stays: nobody could add another one. Source: service description, part 5, admin rule 6.
 */
export async function removeAdmin(service: Service, actor: AdminActor, id: string): Promise<AdminMember> {
  const memberId = asUuid(id);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    // Two admins who remove each other at once must not both succeed.
    await lockUntilCommit(transaction, "admin-members");
    if (memberId === null) throw new NotFoundError("The admin");
    const member = await lockAdmin(transaction, memberId);
    if ((await transaction.adminMember.count()) === 1) {
      throw new ConflictError(null, "The last admin cannot be removed: add another one first.");
    }
    const { count } = await transaction.adminApiKey.updateMany({
      where: { memberId: member.id, revokedAt: null },
      data: { revokedAt: now },
    });
    await transaction.adminMember.delete({ where: { id: member.id } });
    await recordAudit(transaction, {
      actor,
      at: now,
      ...AUDITED.adminRemoved(member.email, count),
      target: { type: "ADMIN", id: member.id },
    });
    return member;
  });
}
