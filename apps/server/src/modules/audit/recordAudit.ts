import type { AuditRecord } from "@social-connect/domain";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { newLogEntryId } from "../../platform/ids.ts";
import { type AdminActor, actorName } from "../admin/actor.ts";
import type { Transaction } from "../service.ts";

/** Writes a change's audit entry in the change's transaction. Source: service description, part 5, admin rule 8. */
export async function recordAudit(
  transaction: Transaction,
  actor: AdminActor,
  at: Date,
  { action, target, clientSlug, summary, changes }: AuditRecord,
): Promise<void> {
  await transaction.auditEntry.create({
    data: {
      id: newLogEntryId(at),
      at,
      actor: actorName(actor),
      apiKeyId: actor.via === "key" ? actor.keyId : null,
      action,
      targetType: target.type,
      targetId: target.id,
      clientSlug: clientSlug ?? null,
      summary,
      changes: changes as readonly object[] as Prisma.InputJsonArray,
    },
  });
}
