import { accepted, decideRemoveAdmin } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/locks.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { lockAdmin } from "./readAdmins.ts";

/** Removes an admin; their sessions are deleted with the row. */
export async function removeAdmin(service: Service, actor: AdminActor, id: string): Promise<AdminMember> {
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    // Of two admins who remove each other concurrently, one stays.
    await lockUntilCommit(transaction, "admin-members");
    const admin = await lockAdmin(transaction, id);
    const adminCount = await transaction.adminMember.count();
    const keys = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM admin_api_key WHERE member_id = ${admin?.id}::uuid AND revoked_at IS NULL FOR UPDATE`;
    const unrevokedKeyIds = keys.map((key) => key.id);
    const { audit, followUps } = accepted(decideRemoveAdmin({ admin, adminCount, unrevokedKeyIds }, now));
    for (const { keyIds, patch } of followUps) {
      await transaction.adminApiKey.updateMany({ where: { id: { in: [...keyIds] } }, data: patch });
    }
    await recordAudit(transaction, actor, now, audit);
    return transaction.adminMember.delete({ where: { id: audit.target.id } });
  });
}
