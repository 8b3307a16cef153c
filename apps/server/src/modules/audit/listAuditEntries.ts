import { type AuditChange, addMs, isPastRetention, purgeBefore } from "@social-connect/domain";
import type { AuditEntry, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import { type AdminActor, actorName } from "../admin/actor.ts";
import { NEWEST_FIRST, type Page, type PageRequest, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

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

/** The changes of the last 30 days, newest first (service description, part 8). */
export async function listAuditEntries(
  service: Service,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const where = matchingEntries(filter, await service.clock.now());
  return readPage(service, page, {
    binding: ["auditEntries", ...bindingOf(filter)],
    positionOf: ({ at, id }) => NEWEST_FIRST.positionOf(at, id),
    load: async (after, take) => (where === null ? [] : loadEntries(service, where, after, take)),
  });
}

/** The condition of a filter within the retention time; null when no entry can match. Each filter has an index with the order of the list. */
export function matchingEntries(filter: AuditFilter, now: Date): Prisma.AuditEntryWhereInput | null {
  const { apiKeyId = null, clientSlug = null, action = null, actor = null } = filter;
  const { targetType = null, targetId = null, from = null, to = null } = filter;
  const keyId = apiKeyId === null ? null : asUuid(apiKeyId);
  // An invalid id belongs to no key, so it has no entries.
  if (apiKeyId !== null && keyId === null) return null;
  const oldest = purgeBefore("auditEntry", now);
  return {
    at: {
      ...(from !== null && from > oldest ? { gte: from } : { gt: oldest }),
      ...(to === null ? {} : { lt: to }),
    },
    ...(keyId === null ? {} : { apiKeyId: keyId }),
    ...(clientSlug === null ? {} : { clientSlug }),
    ...(action === null ? {} : { action }),
    ...(actor === null ? {} : { actor }),
    ...(targetType === null ? {} : { targetType }),
    ...(targetId === null ? {} : { targetId }),
  };
}

/** Entries newest first, from a position. */
export function loadEntries(
  { prisma }: Pick<Service, "prisma">,
  where: Prisma.AuditEntryWhereInput,
  after: readonly string[] | null,
  take: number,
): Promise<AuditEntry[]> {
  return prisma.auditEntry.findMany({
    where: { AND: [where, after === null ? {} : afterPosition(after)] },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take,
  });
}

function bindingOf(filter: AuditFilter): string[] {
  const { apiKeyId, clientSlug, action, actor, targetType, targetId, from, to } = filter;
  const texts = [apiKeyId, clientSlug, action, actor, targetType, targetId, from?.toISOString(), to?.toISOString()];
  return texts.map((text) => text ?? "");
}

/** One entry, for a link to it; null when it is unknown or expired. */
export async function readAuditEntry(service: Service, id: string): Promise<AuditEntry | null> {
  const entryId = asUuid(id);
  if (entryId === null) return null;
  const entry = await service.prisma.auditEntry.findUnique({ where: { id: entryId } });
  if (entry === null) return null;
  return isPastRetention("auditEntry", entry.at, await service.clock.now()) ? null : entry;
}

/** How long the result of a change can be asked for. The panel waits this long for a response. */
const RECENT_MS = 30_000;

/** The newest entry of an admin about an object in the last 30 seconds. */
export async function readNewestEntry(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  actor: AdminActor,
  targetId: string,
): Promise<AuditEntry | null> {
  const recently = { gt: addMs(await clock.now(), -RECENT_MS) };
  const where = { actor: actorName(actor), targetId, at: recently };
  return prisma.auditEntry.findFirst({ where, orderBy: [{ at: "desc" }, { id: "desc" }] });
}

/** null: not recorded, as in entries of earlier releases. */
export function changesOfEntry(entry: Pick<AuditEntry, "changes"> | null): AuditChange[] | null {
  return (entry?.changes ?? null) as AuditChange[] | null;
}

function afterPosition(position: readonly string[]): Prisma.AuditEntryWhereInput {
  const { at, id } = NEWEST_FIRST.read(position);
  // The first condition is implied by the second; it lets the index start at the position.
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { at, id: { lt: id } }] };
}
