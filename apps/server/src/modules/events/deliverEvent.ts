import {
  addMs,
  changesOf,
  decideTry,
  endpointAudit,
  eventBody,
  eventHeaders,
  isReceiptEvent,
  retryAfterSeconds,
  type TryResult,
  touchedChanges,
  turnedOff,
} from "@social-connect/domain";
import type { Event, EventDelivery, EventEndpoint } from "../../_generated/prisma/client.ts";
import { beginTrail, type DeliveryRecord, elapsedMs } from "../../platform/log/telemetry.ts";
import { postToReceiver } from "../../platform/network/postToReceiver.ts";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";
import { SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { enqueueDue, lockEndpoint } from "./enqueueDue.ts";
import { openEventSecrets } from "./eventSecret.ts";
import { forgetSubject } from "./forgetSubjects.ts";
import { endDeliveries } from "./recordEvents.ts";

/** The queue uses the database's clock and deliveries the service's. A task that starts this early is accepted. */
const EARLY_TOLERANCE_MS = 2_000;

const UNREADABLE_SECRET = "the secret of the endpoint cannot be decrypted";

type Delivery = EventDelivery & { readonly event: Event; readonly endpoint: EventEndpoint };

/**
 * Sends an event to an endpoint once, and stores how that ended, with the task of the next try. A worker that is killed in between
 * leaves the delivery as it was, and another one sends the same event again.
 */
export async function deliverEvent(service: Service, row: RowKey): Promise<void> {
  const now = await service.clock.now();
  const include = { event: true, endpoint: true } as const;
  const delivery = await service.prisma.eventDelivery.findUnique({ where: keyOf(row), include });
  // It was erased with its connection or endpoint, has ended, or another task of it was earlier.
  if (delivery?.status !== "WAITING") return;
  if (delivery.nextTryAt !== null && delivery.nextTryAt > addMs(now, EARLY_TOLERANCE_MS)) return;
  const { event, endpoint } = delivery;
  // An event that was recorded while its endpoint was turned off.
  if (!endpoint.enabled) {
    await service.prisma.$transaction((transaction) => endDeliveries(transaction, endpoint, now));
    return;
  }
  const beganAt = performance.now();
  const record = recordOf(delivery);
  const trail = { name: "event delivery", kind: "client", correlationId: event.id, parent: null } as const;
  await beginTrail(service.telemetry, trail, async (span) => {
    try {
      const result = await sendEvent(service, endpoint, { id: event.id, body: JSON.stringify(eventBody(event)) }, now);
      Object.assign(record, result);
      record.outcome = await storeTry(service, delivery, result);
    } finally {
      span?.set({ "delivery.outcome": record.outcome });
      service.telemetry.deliveryEnded(record, elapsedMs(beganAt));
    }
  });
  if (isReceiptEvent(event)) await forgetSubject(service.prisma, event);
}

/**
 * Sends a signed event. Its time is that of the database, which a sandbox does not move with its clock: receivers compare it with
 * theirs.
 */
export async function sendEvent(
  { clock, mode, secretBox }: Pick<Service, "clock" | "mode" | "secretBox">,
  endpoint: EventEndpoint,
  { id, body }: { readonly id: string; readonly body: string },
  now: Date,
): Promise<TryResult & { readonly cause: string | null }> {
  const secrets = openSecrets(secretBox, endpoint, now);
  if (secrets === null) return { status: null, problem: "LOCAL", retryAfterSeconds: null, cause: UNREADABLE_SECRET };
  const sentAt = await clock.unmoved();
  const headers = await eventHeaders(secrets, { id, timestampSeconds: Math.floor(sentAt.getTime() / 1_000), body });
  const sent = { ...headers, "user-agent": "Social-Connect" };
  const { retryAfter, ...answer } = await postToReceiver(endpoint.url, sent, body, {
    allowLoopback: mode === "sandbox",
  });
  return { ...answer, retryAfterSeconds: retryAfterSeconds(retryAfter, sentAt) };
}

/** null: the encryption key is missing, or the row was changed. A try that fails is logged and repeated, as for another fault. */
function openSecrets(secretBox: SecretBox, endpoint: EventEndpoint, now: Date): readonly string[] | null {
  try {
    return openEventSecrets(secretBox, endpoint, now).map((secret) => secret.reveal());
  } catch {
    return null;
  }
}

/** Stores a try unless the delivery has changed since: another worker may have taken it over, or an admin ended it. */
async function storeTry(service: Service, delivery: Delivery, result: TryResult): Promise<DeliveryRecord["outcome"]> {
  const now = await service.clock.now();
  const { id, applicationId, tries, endpointId } = delivery;
  const key = { id: endpointId, applicationId };
  return service.prisma.$transaction(async (transaction) => {
    const endpoint = await lockEndpoint(transaction, key);
    if (endpoint === null) return "DISCARDED";
    const decided = decideTry({ tries }, endpoint, result, service.jitter(), now);
    const where = { id, applicationId, tries, status: "WAITING" } as const;
    const { count } = await transaction.eventDelivery.updateMany({ where, data: decided.delivery });
    if (count === 0) return "DISCARDED";
    const { turnedOffReason } = decided;
    const switched = turnedOffReason === null ? {} : { ...turnedOff(turnedOffReason, now), updatedAt: now };
    await transaction.eventEndpoint.update({ where: keyOf(key), data: { ...decided.endpoint, ...switched } });
    if (turnedOffReason === null) await enqueueDue(service, transaction, key, now, id);
    else {
      const deliveries = await endDeliveries(transaction, key, now);
      const client = await transaction.application.findUniqueOrThrow({ where: { id: applicationId } });
      const changes = [...changesOf({ enabled: true }, { enabled: false }), ...touchedChanges({ deliveries })];
      const audit = endpointAudit(client, delivery.endpoint, "Event endpoint turned off", changes, turnedOffReason);
      await recordAudit(transaction, SYSTEM, now, audit);
    }
    return decided.delivery.status;
  });
}

function recordOf({ event, endpoint, tries }: Delivery): DeliveryRecord {
  return {
    eventId: event.id,
    type: event.type,
    endpointId: endpoint.id,
    applicationId: endpoint.applicationId,
    // The path can be a secret of the receiver.
    origin: new URL(endpoint.url).origin,
    attempt: tries + 1,
    status: null,
    problem: null,
    cause: null,
    outcome: "ERROR",
  };
}
