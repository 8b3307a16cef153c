import {
  accepted,
  checkResendSince,
  eventResent,
  eventsResent,
  mayResend,
  NO_RECEIVER,
  notFound,
  RECEIPT_EVENT_TYPES,
  type Resend,
  type Touched,
} from "@social-connect/domain";
import { type Event, type EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { openCursor, sealCursor } from "../../platform/cursor.ts";
import { newId } from "../../platform/ids.ts";
import { asUuid } from "../../platform/uuid.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { NEWEST_FIRST } from "../admin/page.ts";
import { readClient } from "../applications/client.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";
import { LOWEST_ID, timestamp } from "../sweeps/sweep.ts";
import { tasksFor } from "./recordEvents.ts";

/** Events of a transaction, which bounds how long it holds locks. */
const BATCH = 500;

/** What a call sends again. */
export interface Resent {
  /** Those of which at least one delivery is sent. */
  readonly events: number;
  readonly deliveries: number;
  /** Where the next call continues; null when all are sent. */
  readonly endCursor: string | null;
}

type StoredEvent = Pick<Event, "id" | "type" | "tenantKey" | "occurredAt">;
type Receiver = Pick<EventEndpoint, "id" | "enabled" | "types" | "createdAt">;

/** Sends one event to the endpoints of its client again, with the same id. */
export async function resendEvent(
  service: Service,
  actor: AdminActor,
  clientId: string,
  eventId: string,
): Promise<Resent> {
  const client = await readClient(service, clientId);
  return adminTransaction(service, async (transaction, now) => {
    const isEvent = Prisma.sql`id = ${asUuid(eventId) ?? LOWEST_ID}::uuid`;
    const [event] = await lockEvents(transaction, client.id, isEvent, 1);
    if (event === undefined) return accepted(notFound("The event"));
    const sent = await resend(service, transaction, client.id, [event], false, now);
    if (sent.length === 0) accepted(NO_RECEIVER);
    const before = sent.map(({ status }) => status);
    await recordAudit(transaction, actor, now, eventResent(client, event, before));
    return { events: 1, deliveries: sent.length, endCursor: null };
  });
}

/** The batches of a call of the panel, which bounds its time. */
export const BATCHES_PER_CALL = 20;

/**
 * Sends the events of a client since a time again, oldest first, and those to an endpoint for the first time that happened
 * while it was off. After a bounded number of batches, the next call continues at `after`, which names no other client or time and
 * proves that the first call was recorded.
 */
export async function resendEvents(
  service: Service,
  actor: AdminActor,
  clientId: string,
  wanted: Resend,
  { after = null, batches = Number.POSITIVE_INFINITY }: { after?: string | null; batches?: number } = {},
): Promise<Resent> {
  const client = await readClient(service, clientId);
  const now = await service.clock.now();
  const binding = ["resendEvents", client.id, wanted.since.toISOString(), String(wanted.failedOnly)];
  let position: readonly string[] | null = after === null ? null : openCursor(service.secretBox, binding, after);
  if (position === null) accepted(checkResendSince(wanted.since, now));
  const total = { events: 0, deliveries: 0 };
  for (let batch = 0; batch < batches; batch += 1) {
    const events = await adminTransaction(service, async (transaction) => {
      if (position === null) await recordAudit(transaction, actor, now, eventsResent(client, wanted));
      const found = await lockEvents(transaction, client.id, following(wanted.since, position, now), BATCH);
      const sent = await resend(service, transaction, client.id, found, wanted.failedOnly, now);
      total.events += new Set(sent.map(({ eventId }) => eventId)).size;
      total.deliveries += sent.length;
      return found;
    });
    const last = events.at(-1);
    if (last === undefined || events.length < BATCH) return { ...total, endCursor: null };
    position = NEWEST_FIRST.positionOf(last.occurredAt, last.id);
  }
  return { ...total, endCursor: position && sealCursor(service.secretBox, binding, position) };
}

/** What `resendEvents` would send now, by its conditions and those of `mayResend`, in one statement. */
export async function planResend(
  { prisma, clock }: Pick<Service, "prisma" | "clock">,
  applicationId: string,
  { since, failedOnly }: Resend,
): Promise<Touched> {
  const now = await clock.now();
  if (checkResendSince(since, now) !== null) return {};
  const [counts] = await prisma.$queryRaw<Touched[]>`
    SELECT count(DISTINCT event.id)::int AS events, count(*)::int AS deliveries
      FROM (SELECT * FROM event WHERE application_id = ${applicationId}::uuid AND ${following(since, null, now)}) AS event
      JOIN event_endpoint AS endpoint
        ON endpoint.application_id = event.application_id AND endpoint.enabled AND endpoint.created_at <= event.occurred_at
           AND (endpoint.types = '{}' OR event.type = ANY (endpoint.types))
      LEFT JOIN event_delivery AS delivery
        ON delivery.application_id = event.application_id AND delivery.event_id = event.id
           AND delivery.endpoint_id = endpoint.id
     WHERE NOT (event.type = ANY (${RECEIPT_EVENT_TYPES}) AND event.tenant_key IS NULL)
       AND (NOT ${failedOnly} OR delivery.status IS DISTINCT FROM 'SUCCEEDED')`;
  return counts ?? {};
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

/** Makes deliveries due: the existing ones, and those that are missing. Returns their events, and their statuses before. */
async function resend(
  service: Service,
  transaction: Transaction,
  applicationId: string,
  events: readonly StoredEvent[],
  failedOnly: boolean,
  now: Date,
): Promise<{ readonly eventId: string; readonly status: string }[]> {
  const endpoints = await transaction.$queryRaw<Receiver[]>`
    SELECT id, enabled, types, created_at AS "createdAt" FROM event_endpoint
     WHERE application_id = ${applicationId}::uuid FOR KEY SHARE`;
  const { eventDelivery } = transaction;
  const existing = await eventDelivery.findMany({
    where: { applicationId, eventId: { in: events.map(({ id }) => id) } },
  });
  const known = new Map(existing.map((delivery) => [`${delivery.eventId} ${delivery.endpointId}`, delivery]));
  const found = endpoints.flatMap((endpoint) =>
    events
      .filter((event) => mayResend(event, endpoint))
      .map(({ id }) => ({ delivery: known.get(`${id} ${endpoint.id}`), eventId: id, endpointId: endpoint.id }))
      .filter(({ delivery }) => !failedOnly || delivery?.status !== "SUCCEEDED")
      .map((row) => ({ ...row, id: row.delivery?.id ?? newId() })),
  );
  const sent = found.map(({ eventId, delivery }) => ({ eventId, status: delivery?.status ?? "MISSING" }));
  const rows = found.map(({ delivery: _, ...row }) => ({ ...row, applicationId }));
  const tasks = await tasksFor(transaction, rows, now);
  const where = { applicationId, id: { in: rows.map(({ id }) => id) } };
  const due = { status: "WAITING", nextTryAt: now } as const;
  await eventDelivery.createMany({
    data: rows.map((row) => ({ ...row, ...due, createdAt: now })),
    skipDuplicates: true,
  });
  // A waiting delivery keeps the number of its tries, which bounds them.
  await eventDelivery.updateMany({ where: { ...where, status: "WAITING" }, data: due });
  await eventDelivery.updateMany({
    where: { ...where, status: { not: "WAITING" } },
    data: { ...due, tries: 0, finishedAt: null, problem: null },
  });
  await service.queue.enqueueAll(transaction, tasks);
  return sent;
}
