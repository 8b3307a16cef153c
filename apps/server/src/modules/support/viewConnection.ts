import { accepted, checkSupportReason } from "@social-connect/domain";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { viewed } from "../operations/showConnection.ts";
import type { Service } from "../service.ts";
import type { SupportConnection } from "./readSupportConnection.ts";
import { findSupported, readSupportConnection } from "./readSupportConnection.ts";

/** An admin's action on a connection or on a job. */
export interface SupportCall {
  readonly id: string;
  /** A ticket, a correlation id or a few words, for the audit log. */
  readonly reason: string;
}

/** Opens a connection for support. The audit entry is stored before its state is read. */
export async function viewConnection(
  service: Service,
  actor: AdminActor,
  { id, reason }: SupportCall,
): Promise<SupportConnection> {
  accepted(checkSupportReason(reason));
  const supported = await findSupported(service, id);
  await recordAudit(service.prisma, actor, await service.clock.now(), viewed(supported, reason));
  return readSupportConnection(service, supported);
}

/** The connection after a change. */
export async function readAgain(service: Service, id: string): Promise<SupportConnection> {
  return readSupportConnection(service, await findSupported(service, id));
}
