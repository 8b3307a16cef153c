import { connectionsSearched, MOST_PEOPLE, SHORTEST_ID_PART, type SupportSearch } from "@social-connect/domain";
import type { AdminActor } from "../admin/actor.ts";
import { recordOnce } from "../audit/recordOnce.ts";
import type { Service } from "../service.ts";
import { findScope, type SupportScope } from "../support/searchConnections.ts";

export interface UserSuggestion extends Omit<SupportScope, "externalSubjectId"> {
  readonly startsWith: string;
}

export interface FoundPerson extends Omit<SupportScope, "tenantKey"> {
  readonly tenantKey: string;
}

/** Sorts after every character that an id can continue with. */
const LAST_CHARACTER = "\u{10FFFF}";

/** A range of the index: the column has the collation of bytes. */
function beginningWith(text: string) {
  return { gte: text, lt: `${text}${LAST_CHARACTER}` };
}

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
    externalSubjectId: beginningWith(startsWith),
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

/**
 * The first users of all clients, with connections or connect attempts, whose id begins with a text; a short text has to be the
 * whole id. The index has the order of the groups, so that each statement ends with the last one that is shown.
 */
export async function findPeople(service: Service, actor: AdminActor, startsWith: string): Promise<FoundPerson[]> {
  const { prisma } = service;
  const groups = {
    by: ["externalSubjectId" as const, "applicationId" as const, "tenantKey" as const],
    where: { externalSubjectId: startsWith.length < SHORTEST_ID_PART ? startsWith : beginningWith(startsWith) },
    orderBy: [{ externalSubjectId: "asc" as const }, { applicationId: "asc" as const }, { tenantKey: "asc" as const }],
    take: MOST_PEOPLE,
  };
  const ofTables = await Promise.all([prisma.connection.groupBy(groups), prisma.connectAttempt.groupBy(groups)]);
  const found = ofTables.flat();
  const applications = await prisma.application.findMany({
    where: { id: { in: found.map(({ applicationId }) => applicationId) } },
    select: { id: true, slug: true },
  });
  const people = new Map<string, FoundPerson>();
  for (const { applicationId, tenantKey, externalSubjectId } of found) {
    const clientSlug = applications.find(({ id }) => id === applicationId)?.slug;
    if (clientSlug === undefined) continue;
    people.set([externalSubjectId, clientSlug, tenantKey].join("\0"), { clientSlug, tenantKey, externalSubjectId });
  }
  const shown = [...people]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, MOST_PEOPLE)
    .map(([, person]) => person);
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
