import { type AuditRecord, addMs, SUPPORT_VIEW_MS } from "@social-connect/domain";
import { type AdminActor, actorName } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { recordAudit } from "./recordAudit.ts";

/** Writes the entry unless the log has the same of this admin since 15 minutes ago: for what a page reads again and again. */
export async function recordOnce(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  actor: AdminActor,
  record: AuditRecord,
): Promise<void> {
  const now = await clock.now();
  const { action, target, summary } = record;
  const same = { targetId: target.id, action, summary, actor: actorName(actor) };
  const where = { ...same, at: { gt: addMs(now, -SUPPORT_VIEW_MS) } };
  if ((await prisma.auditEntry.findFirst({ where, select: { id: true } })) === null)
    await recordAudit(prisma, actor, now, record);
}
