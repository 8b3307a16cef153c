import { type ConnectionListFilter, connectionsListed } from "@social-connect/domain";
import type { SessionActor } from "../admin/actor.ts";
import type { Page, PageRequest } from "../admin/page.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { recordOnce } from "../audit/recordOnce.ts";
import type { Service } from "../service.ts";
import { type ConnectionListArguments, filterTexts, findWanted, listAllConnections } from "./listAllConnections.ts";
import type { ListedConnection, ShownConnections } from "./searchConnections.ts";

/**
 * A page of the list that an admin opens. It shows ids of users, so the first page is in the audit log before it is read: once
 * in 15 minutes for the same filters, and each time for a user or a handle.
 */
export async function openConnectionList(
  service: Service,
  actor: SessionActor,
  args: ConnectionListArguments,
  page: PageRequest,
  query?: ShownConnections,
): Promise<Page<ListedConnection>> {
  const { order: _order, descending: _descending, ...filter } = args;
  if (page.after == null) await recordOpened(service, actor, filter);
  return listAllConnections(service, args, page, query);
}

async function recordOpened(service: Service, actor: SessionActor, filter: ConnectionListFilter): Promise<void> {
  await findWanted(service, filter);
  const { memberId: id, email } = actor;
  const record = connectionsListed({ id, email }, filterTexts(filter));
  if (filter.externalSubjectId == null && filter.handle == null) return recordOnce(service, actor, record);
  await recordAudit(service.prisma, actor, await service.clock.now(), record);
}
