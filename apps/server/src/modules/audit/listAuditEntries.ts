import { isPastRetention, purgeBefore } from "@social-connect/domain";
import type { AuditEntry, Prisma } from "../../_generated/prisma/client.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { Page, PageRequest } from "../admin/page.ts";
import { NEWEST_FIRST, readPage } from "../admin/page.ts";
import type { Service } from "../service.ts";

export interface AuditFilter {
  readonly apiKeyId?: string | null | undefined;
  readonly clientSlug?: string | null | undefined;
  readonly action?: string | null | undefined;
}

/** The changes of the last 30 days, newest first (service description, part 8). */
export async function listAuditEntries(
  service: Service,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const now = await service.clock.now();
  const { apiKeyId = null, clientSlug = null, action = null } = filter;
  const keyId = apiKeyId === null ? null : asUuid(apiKeyId);
  const matches = {
    at: { gt: purgeBefore("auditEntry", now) },
    ...(apiKeyId === null ? {} : { apiKeyId: keyId }),
    ...(clientSlug === null ? {} : { clientSlug }),
    ...(action === null ? {} : { action }),
  } satisfies Prisma.AuditEntryWhereInput;
  return readPage(service, page, {
    binding: ["auditEntries", apiKeyId ?? "", clientSlug ?? "", action ?? ""],
    positionOf: ({ at, id }) => NEWEST_FIRST.positionOf(at, id),
    // An invalid id belongs to no key, so it has no entries.
    load: async (after, take) =>
      apiKeyId !== null && keyId === null
        ? []
        : service.prisma.auditEntry.findMany({
            where: { AND: [matches, after === null ? {} : afterPosition(after)] },
            orderBy: [{ at: "desc" }, { id: "desc" }],
            take,
          }),
  });
}

/** One entry, for a link to it; null when it is unknown or expired. */
export async function readAuditEntry(service: Service, id: string): Promise<AuditEntry | null> {
  const entryId = asUuid(id);
  if (entryId === null) return null;
  const entry = await service.prisma.auditEntry.findUnique({ where: { id: entryId } });
  if (entry === null) return null;
  return isPastRetention("auditEntry", entry.at, await service.clock.now()) ? null : entry;
}

function afterPosition(position: readonly string[]): Prisma.AuditEntryWhereInput {
  const { at, id } = NEWEST_FIRST.read(position);
  // The first condition is implied by the second; it lets the index start at the position.
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { at, id: { lt: id } }] };
}
