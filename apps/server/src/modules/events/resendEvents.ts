import {
  accepted,
  checkResendSince,
  eventResent,
  eventsResent,
  mayResend,
  NO_RECEIVER,
  notFound,
  type Resend,
} from "@social-connect/domain";
import { type EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { NEWEST_FIRST } from "../admin/page.ts";
import { readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";
import { LOWEST_ID, timestamp } from "../sweeps/sweep.ts";
import { createDeliveries, tasksFor } from "./recordEvents.ts";

/** Events of a transaction, which bounds how long it holds locks. */
const BATCH = 500;
/** Batches of a call, which bounds its time. */
const BATCHES_PER_CALL = 20;

/** What a call sends again. */
export interface Resent {
  readonly events: number;
  readonly deliveries: number;
  /** Where the next call continues; null when all are sent. */
  readonly next: readonly string[] | null;
}

interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly tenantKey: string | null;
  readonly occurredAt: Date;
}

type Receiver = Pick<EventEndpoint, "id" | "enabled" | "types" | "createdAt">;

/** Sends one event to the endpoints of its client again, with the same id. */
export async function resendEvent(
  service: Service,
  actor: AdminActor,
  clientId: string,
  eventId: string,
): Promise<Resent> {
  const client = await readClient(service, clientId);
  const now = await service.clock.now();
  return adminTransaction(service, async (transaction) => {
    const isEvent = Prisma.sql`id = ${asUuid(eventId) ?? LOWEST_ID}::uuid`;
    const [event] = await lockEvents(transaction, client.id, isEvent, 1);
    if (event === undefined) return accepted(notFound("The event"));
    await recordAudit(transaction, actor, now, eventResent(client, event));
    const deliveries = await resend(service, transaction, client.id, [event], false, now);
    if (deliveries === 0) accepted(NO_RECEIVER);
    return { events: 1, deliveries, next: null };
  });
}

/**
 * Sends the events of a client since a time again, oldest first, and those to an endpoint for the first time that happened
 * while it was off. A call handles a bounded number; the next one continues at `from`, without another audit entry.
 */
export async function resendEvents(
  service: Service,
  actor: AdminActor,
  clientId: string,
  wanted: Resend,
  from: readonly string[] | null = null,
): Promise<Resent> {
  const client = await readClient(service, clientId);
  const now = await service.clock.now();
  if (from === null) accepted(checkResendSince(wanted.since, now));
  const sent = { events: 0, deliveries: 0 };
  let next = from;
  for (let batch = 0; batch < BATCHES_PER_CALL; batch += 1) {
    const events = await adminTransaction(service, async (transaction) => {
      if (next === null) await recordAudit(transaction, actor, now, eventsResent(client, wanted));
      const found = await lockEvents(transaction, client.id, following(wanted.since, next, now), BATCH);
      sent.deliveries += await resend(service, transaction, client.id, found, wanted.failedOnly, now);
      return found;
    });
    sent.events += events.length;
    const last = events.at(-1);
    if (last === undefined || events.length < BATCH) return { ...sent, next: null };
    next = NEWEST_FIRST.positionOf(last.occurredAt, last.id);
  }
  return { ...sent, next };
}

/** The same for the panel. A cursor proves that the first call was recorded, and names no other client or time. */
export async function resendEventsAfter(
  service: Service,
  actor: AdminActor,
  clientId: string,
  wanted: Resend,
  after: string | null,
): Promise<Omit<Resent, "next"> & { readonly endCursor: string | null }> {
  const { secretBox } = service;
  const binding = ["resendEvents", clientId.toLowerCase(), wanted.since.toISOString(), String(wanted.failedOnly)];
  const from = after === null ? null : openCursor(secretBox, binding, after);
  const { next, ...sent } = await resendEvents(service, actor, clientId, wanted, from);
  return { ...sent, endCursor: next === null ? null : sealCursor(secretBox, binding, next) };
}

/** Events that happen meanwhile are sent anyway. */
function following(since: Date, position: readonly string[] | null, now: Date): Prisma.Sql {
  const { at, id } = position === null ? { at: since, id: LOWEST_ID } : NEWEST_FIRST.read(position);
  return Prisma.sql`(occurred_at, id) > (${timestamp(at)}, ${id}::uuid) AND occurred_at <= ${timestamp(now)}`;
}

/** Events, oldest first, locked against an erasure. */
function lockEvents(
  transaction: Transaction,
  applicationId: string,
  condition: Prisma.Sql,
  limit: number,
): Promise<StoredEvent[]> {
  return transaction.$queryRaw<StoredEvent[]>`
    SELECT id, type, tenant_key AS "tenantKey", occurred_at AS "occurredAt" FROM event
     WHERE application_id = ${applicationId}::uuid AND ${condition}
     ORDER BY occurred_at, id LIMIT ${limit} FOR SHARE`;
}

/** Makes deliveries due: the existing ones, and those that are missing. Returns how many. */
async function resend(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  events: readonly StoredEvent[],
  failedOnly: boolean,
  now: Date,
): Promise<number> {
  const endpoints = await transaction.$queryRaw<Receiver[]>`
    SELECT id, enabled, types, created_at AS "createdAt" FROM event_endpoint
     WHERE application_id = ${applicationId}::uuid FOR KEY SHARE`;
  const existing = await transaction.eventDelivery.findMany({
    where: { applicationId, eventId: { in: events.map(({ id }) => id) } },
    select: { id: true, eventId: true, endpointId: true, status: true },
  });
  const known = new Map(existing.map((delivery) => [`${delivery.eventId} ${delivery.endpointId}`, delivery]));
  const receivers = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => mayResend(event, endpoint))
      .map((endpoint) => ({ applicationId, eventId: event.id, endpointId: endpoint.id })),
  );
  const missing = receivers.filter(({ eventId, endpointId }) => !known.has(`${eventId} ${endpointId}`));
  const again = receivers.flatMap(({ eventId, endpointId }) => {
    const delivery = known.get(`${eventId} ${endpointId}`);
    return delivery === undefined || (failedOnly && delivery.status === "SUCCEEDED") ? [] : [delivery];
  });
  const ids = (isWaiting: boolean) => ({
    in: again.filter(({ status }) => (status === "WAITING") === isWaiting).map(({ id }) => id),
  });
  const tasks = await tasksFor(
    transaction,
    again.map((delivery) => ({ ...delivery, applicationId })),
    now,
  );
  // A waiting delivery keeps the number of its tries, which bounds them.
  await transaction.eventDelivery.updateMany({
    where: { applicationId, id: ids(true) },
    data: { nextTryAt: now },
  });
  await transaction.eventDelivery.updateMany({
    where: { applicationId, id: ids(false) },
    data: { status: "WAITING", tries: 0, nextTryAt: now, finishedAt: null, problem: null },
  });
  await service.queue.enqueueAll(transaction, tasks);
  await createDeliveries(service, transaction, now, missing);
  return again.length + missing.length;
}
