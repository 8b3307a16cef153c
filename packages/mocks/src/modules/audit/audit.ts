import { type AuditRecord, isPastRetention } from "@social-connect/domain";
import type { AuditEntry } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, actorName } from "../admin/actor.ts";
import { NEWEST_FIRST, type PageRequest, pageOf } from "../admin/page.ts";

/** Writes the audit entry of a change. Source: service description, part 5, admin rule 8. */
export function recordAudit(
  world: World,
  actor: AdminActor,
  { action, target, clientSlug, summary }: AuditRecord,
): void {
  const { auditEntries } = world.state;
  auditEntries.push({
    id: world.newId(),
    order: (auditEntries.at(-1)?.order ?? 0) + 1,
    at: world.now(),
    actor: actorName(actor),
    apiKeyId: actor.via === "key" ? actor.keyId : null,
    action,
    targetType: target.type,
    targetId: target.id,
    clientSlug: clientSlug ?? null,
    summary,
  });
}

export interface AuditFilter {
  readonly apiKeyId?: string | null | undefined;
  readonly clientSlug?: string | null | undefined;
  readonly action?: string | null | undefined;
  readonly actor?: string | null | undefined;
  readonly targetType?: string | null | undefined;
  readonly targetId?: string | null | undefined;
  /** Inclusive. */
  readonly from?: Date | null | undefined;
  /** Exclusive. */
  readonly to?: Date | null | undefined;
}

/** The entries of the retention time, newest first. Source: service description, part 8. */
export function listAuditEntries(world: World, filter: AuditFilter, page: PageRequest) {
  const { apiKeyId = null, clientSlug = null, action = null, actor = null } = filter;
  const { targetType = null, targetId = null, from = null, to = null } = filter;
  const rows = retainedEntries(world).filter(
    (entry) =>
      (apiKeyId === null || entry.apiKeyId === apiKeyId.toLowerCase()) &&
      (clientSlug === null || entry.clientSlug === clientSlug) &&
      (action === null || entry.action === action) &&
      (actor === null || entry.actor === actor) &&
      (targetType === null || entry.targetType === targetType) &&
      (targetId === null || entry.targetId === targetId) &&
      (from === null || entry.at >= from) &&
      (to === null || entry.at < to),
  );
  const texts = [apiKeyId, clientSlug, action, actor, targetType, targetId, from?.toISOString(), to?.toISOString()];
  const binding = ["auditEntries", ...texts.map((text) => text ?? "")];
  return pageOf(world, rows.toReversed(), page, { binding, ...NEWEST_FIRST });
}

export function readAuditEntry(world: World, id: string): AuditEntry | null {
  return retainedEntries(world).find((entry) => entry.id === id.toLowerCase()) ?? null;
}

/** The entries within the retention time, oldest first. */
export function retainedEntries(world: World): AuditEntry[] {
  const now = world.now();
  return world.state.auditEntries.filter((entry) => !isPastRetention("auditEntry", entry.at, now));
}
