import { type AuditRecord, isPastRetention } from "@social-connect/domain";
import type { AuditEntry } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, actorName } from "../admin/actor.ts";
import { NEWEST_FIRST, type PageRequest, pageOf } from "../admin/page.ts";

/** Writes the audit entry of a change, without its values before and after. Source: service description, part 5, admin rule 8. */
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
  const { clientSlug, action, actor, targetType, targetId, from, to } = filter;
  const equal = { apiKeyId: filter.apiKeyId?.toLowerCase(), clientSlug, action, actor, targetType, targetId };
  const wanted = Object.entries(equal) as [keyof typeof equal, string | null | undefined][];
  const rows = retainedEntries(world).filter(
    (entry) =>
      wanted.every(([column, value]) => value == null || entry[column] === value) &&
      (from == null || entry.at >= from) &&
      (to == null || entry.at < to),
  );
  const texts = [...Object.values(equal), from?.toISOString(), to?.toISOString()];
  const binding = ["auditEntries", ...texts.map((text) => text ?? "")];
  return pageOf(world, rows.toReversed(), page, { binding, ...NEWEST_FIRST });
}

export function retainedEntries(world: World): AuditEntry[] {
  const now = world.now();
  return world.state.auditEntries.filter((entry) => !isPastRetention("auditEntry", entry.at, now));
}
