import { accepted, decideTestEvent, testEvent } from "@social-connect/domain";
import type { Event } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { lockClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { createDeliveries } from "./recordEvents.ts";

/** Sends a test event to one endpoint, which the worker delivers like any other. Returns the stored event. */
export async function sendTestEvent(service: Service, actor: AdminActor, endpointId: string): Promise<Event> {
  const now = await service.clock.now();
  const id = asUuid(endpointId);
  return adminTransaction(service, async (transaction) => {
    const found = id === null ? null : await transaction.eventEndpoint.findFirst({ where: { id } });
    // Locked, so that the endpoint is neither turned off nor removed meanwhile.
    const client = await lockClient(transaction, found?.applicationId ?? "");
    const endpoint =
      client && (await transaction.eventEndpoint.findFirst({ where: { id: id ?? "", applicationId: client.id } }));
    const { audit } = accepted(decideTestEvent(client, endpoint));
    await recordAudit(transaction, actor, now, audit);
    const event = await transaction.event.create({
      data: { id: newId(), occurredAt: now, ...testEvent(audit.target.id) },
    });
    const { applicationId, id: eventId } = event;
    await createDeliveries(service, transaction, now, [{ applicationId, eventId, endpointId: endpoint?.id ?? "" }]);
    return event;
  });
}
