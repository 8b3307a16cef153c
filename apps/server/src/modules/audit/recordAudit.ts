import type { AuditAction, AuditTargetType } from "@social-connect/domain";
import { newLogEntryId } from "../../platform/ids.ts";
import type { AdminActor } from "../admin/actor.ts";
import { actorName } from "../admin/actor.ts";
import type { Transaction } from "../service.ts";

export interface AuditedChange {
  readonly actor: AdminActor;
  readonly at: Date;
  readonly action: AuditAction;
  readonly target: { readonly type: AuditTargetType; readonly id: string };
  /** Slug of the client that was changed; absent where it was none. */
  readonly clientSlug?: string;
  /** One sentence for people. Never a secret. */
  readonly summary: string;
}

/** Writes what was done, in the transaction that does it. Source: service description, part 5, admin rule 8. */
export async function recordAudit(transaction: Transaction, change: AuditedChange): Promise<void> {
  const { actor, target } = change;
  await transaction.auditEntry.create({
    data: {
      id: newLogEntryId(change.at),
      at: change.at,
      actor: actorName(actor),
      apiKeyId: actor.via === "key" ? actor.keyId : null,
      action: change.action,
      targetType: target.type,
      targetId: target.id,
      clientSlug: change.clientSlug ?? null,
      summary: change.summary,
    },
  });
}
