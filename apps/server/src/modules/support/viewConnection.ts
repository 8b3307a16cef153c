import { accepted, addMs, checkReasonAbout, SUPPORT_VIEW_MS, VIEW_ENDED } from "@social-connect/domain";
import type { AdminActor, SessionActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { viewed } from "../operations/showConnection.ts";
import type { Service } from "../service.ts";
import { findSupported, readSupportConnection, type SupportConnection } from "./readSupportConnection.ts";

/** An admin's action on a connection or on a job. */
export interface SupportCall {
  readonly id: string;
  /** A ticket, a correlation id or a few words without the user's id, for the audit log. */
  readonly reason: string;
}

/** Opens a connection for support. The audit entry is stored before its state is read. */
export async function viewConnection(
  service: Service,
  actor: AdminActor,
  { id, reason }: SupportCall,
): Promise<SupportConnection> {
  const supported = await findSupported(service, id);
  accepted(checkReasonAbout(supported.connection, reason));
  await recordAudit(service.prisma, actor, await service.clock.now(), viewed(supported, reason));
  return readSupportConnection(service, supported);
}

/**
 * The state of a connection that the admin opened within the last 15 minutes, so that an open page can refresh itself. The
 * audit entry of the view covers it.
 */
export async function readViewedConnection(
  service: Service,
  { email }: SessionActor,
  id: string,
): Promise<SupportConnection> {
  const since = addMs(await service.clock.now(), -SUPPORT_VIEW_MS);
  const view = await service.prisma.auditEntry.findFirst({
    where: { targetId: id.toLowerCase(), action: "Connection viewed", actor: email, at: { gt: since } },
    select: { id: true },
  });
  if (view === null) return accepted(VIEW_ENDED);
  return readAgain(service, id);
}

/** The connection after a change. */
export async function readAgain(service: Service, id: string): Promise<SupportConnection> {
  return readSupportConnection(service, await findSupported(service, id));
}
