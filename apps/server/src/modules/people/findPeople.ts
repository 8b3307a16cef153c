import { connectionsSearched, MOST_PEOPLE, type SupportSearch } from "@social-connect/domain";
import type { AdminActor } from "../admin/actor.ts";
import { recordOnce } from "../audit/recordOnce.ts";
import type { Service } from "../service.ts";
import { findScope, type SupportScope } from "../support/searchConnections.ts";

export interface UserSuggestion extends Omit<SupportScope, "externalSubjectId"> {
  readonly startsWith: string;
}

/** A client and a tenant that have a user with the id. */
export interface FoundPerson {
  readonly clientSlug: string;
  readonly tenantKey: string;
}

/** Sorts after every character that an id can continue with. */
const LAST_CHARACTER = "\u{10FFFF}";

/** The first ids of users, with connections or connect attempts, that begin with a text. */
export async function suggestUsers(
  service: Service,
  actor: AdminActor,
  { startsWith, ...client }: UserSuggestion,
): Promise<string[]> {
  const { application, tenantKey } = await findScope(service, { ...client, externalSubjectId: startsWith });
  const where = {
    applicationId: application.id,
    tenantKey,
    externalSubjectId: { gte: startsWith, lt: `${startsWith}${LAST_CHARACTER}` },
  };
  const groups = { where, orderBy: { externalSubjectId: "asc" }, take: MOST_PEOPLE } as const;
  const found = await Promise.all([
    service.prisma.connection.groupBy({ by: ["externalSubjectId"], ...groups }),
    service.prisma.connectAttempt.groupBy({ by: ["externalSubjectId"], ...groups }),
  ]);
  const ids = [...new Set(found.flat().map(({ externalSubjectId }) => externalSubjectId))];
  if (ids.length > 0) await recordShown(service, actor, [application], "suggestions");
  return ids.toSorted().slice(0, MOST_PEOPLE);
}

/** Where a user with this id has connections or connect attempts. */
export async function findPeople(
  service: Service,
  actor: AdminActor,
  externalSubjectId: string,
): Promise<FoundPerson[]> {
  const { prisma } = service;
  const groups = {
    where: { externalSubjectId },
    orderBy: [{ applicationId: "asc" as const }, { tenantKey: "asc" as const }],
    take: MOST_PEOPLE,
  };
  const ofTables = await Promise.all([
    prisma.connection.groupBy({ by: ["applicationId", "tenantKey"], ...groups }),
    prisma.connectAttempt.groupBy({ by: ["applicationId", "tenantKey"], ...groups }),
  ]);
  const found = ofTables.flat();
  const applications = await prisma.application.findMany({
    where: { id: { in: found.map(({ applicationId }) => applicationId) } },
    select: { id: true, slug: true },
    orderBy: { slug: "asc" },
  });
  const people = applications.flatMap(({ id, slug }) => {
    const tenantKeys = found.filter(({ applicationId }) => applicationId === id).map(({ tenantKey }) => tenantKey);
    return [...new Set(tenantKeys)].toSorted().map((tenantKey) => ({ clientSlug: slug, tenantKey }));
  });
  const shown = people.slice(0, MOST_PEOPLE);
  const clients = applications.filter(({ slug }) => shown.some(({ clientSlug }) => clientSlug === slug));
  await recordShown(service, actor, clients, "people");
  return shown;
}

/** Once in 15 minutes for each client, because each typed letter is a call. */
async function recordShown(
  service: Service,
  actor: AdminActor,
  clients: readonly { readonly id: string; readonly slug: string }[],
  search: SupportSearch,
): Promise<void> {
  for (const client of clients) await recordOnce(service, actor, connectionsSearched(client, search));
}
