import {
  accepted,
  asAskedFor,
  checkDisconnectForUser,
  checkReasonAbout,
  connectionDisconnected,
  decideRescan,
  notFound,
  recheckConnection,
} from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { lockConnection } from "../connections/locks.ts";
import { disconnect } from "../disconnect/disconnectConnection.ts";
import { createReadJobs, kindsInFlight } from "../jobs/readJobs.ts";
import * as operations from "../operations/changeJob.ts";
import { findConnection } from "../operations/showConnection.ts";
import { callRefusalsOf } from "../registrations/callRefusals.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { findSupported, readAccess, type SupportConnection } from "./readSupportConnection.ts";
import { readAgain, type SupportCall } from "./viewConnection.ts";

/** Starts a scan of the default window. */
export async function rescanConnection(
  service: Service,
  actor: AdminActor,
  { id, reason }: SupportCall,
): Promise<SupportConnection> {
  const found = (await findConnection(service, id)) ?? accepted(notFound("The connection"));
  const { application } = found;
  accepted(checkReasonAbout(found, reason));
  const access = await readAccess(service, found);
  await adminTransaction(service, async (transaction, now) => {
    const owner = (await lockConnection(transaction, found)) ?? accepted(notFound("The connection"));
    // Refusals may have ended the connection: the provider is called again.
    const connection = asAskedFor({
      ...owner,
      refusals: callRefusalsOf(owner),
      clientSlug: application.slug,
      offeredCapabilities: access.registration.capabilities,
    });
    const recheckCode = recheckConnection({ connection, application, ...access }, now);
    const inFlight = (await kindsInFlight(transaction, [owner])).get(owner.id) ?? [];
    const { followUps, audit } = accepted(decideRescan(connection, { recheckCode, inFlight, reason }, now));
    await recordAudit(transaction, actor, now, audit);
    const reads = followUps.map((read) => ({ owner, read }));
    await createReadJobs(service, transaction, reads, now);
  });
  return readAgain(service, id);
}

/** Runs a waiting job now, and shows its connection. */
export async function retryJob(
  service: Service,
  actor: AdminActor,
  { id, reason }: SupportCall,
): Promise<SupportConnection> {
  const { connectionId } = await operations.retryJob(service, id, false, { actor, reason });
  return readAgain(service, connectionId);
}

/** Disconnects an account for its user, as the application's `disconnectConnection` does. */
export async function disconnectForUser(
  service: Service,
  actor: AdminActor,
  { id, reason }: SupportCall,
): Promise<SupportConnection> {
  const { application, connection } = await findSupported(service, id);
  const stored = connection && (await service.prisma.connection.findUnique({ where: keyOf(connection) }));
  if (stored === null) return accepted(notFound("The connection"));
  accepted(checkReasonAbout(stored, reason) ?? checkDisconnectForUser(stored));
  const audited = { ...stored, clientSlug: application.slug };
  await disconnect(service, stored, "BY_OPERATOR", (transaction, at, changes) =>
    recordAudit(transaction, actor, at, connectionDisconnected(audited, reason, changes)),
  );
  return readAgain(service, asUuid(id) ?? id);
}
