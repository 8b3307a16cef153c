import type { EventTypeName } from "@social-connect/contract";
import { addMs, isReceiptEvent, type NewEvent } from "@social-connect/domain";
import { type EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import { ownedBy } from "../../platform/distribution/shardGroups.ts";
import { newId } from "../../platform/ids.ts";
import type { RowKey } from "../rowKey.ts";
import type { NewTask, Service, Transaction } from "../service.ts";
import { timestamp } from "../sweeps/sweep.ts";

/** Tasks of an endpoint that wait in the queue. The others follow when one of these ends, so that a million hold up no other work. */
export const MOST_QUEUED = 100;
/** Longer than until the next sweep. What is due later is not in the queue, where it would take the place of what is due now. */
const SOON_MS = 90_000;

type Receiver = Pick<EventEndpoint, "id" | "applicationId" | "types" | "enabled">;

/**
 * Stores events, with a delivery for each enabled endpoint that takes the type, in the transaction of the change. Stores
 * nothing for an application without endpoints. The applications are stored on one shard: see `ownedBy`.
 */
export async function recordEvents(
  service: Pick<Service, "queue">,
  transaction: Transaction,
  now: Date,
  events: readonly (NewEvent | null)[],
): Promise<void> {
  const happened = events.filter((event) => event !== null);
  if (happened.length === 0) return;
  const endpoints = await lockEndpoints(transaction, [...new Set(happened.map(({ applicationId }) => applicationId))]);
  const told = happened.filter(({ applicationId }) => endpoints.some((one) => one.applicationId === applicationId));
  if (told.length === 0) return;
  const rows = told.map((event) => ({ id: newId(), occurredAt: now, ...event }));
  const deliveries = rows.flatMap(({ id: eventId, applicationId, type }) =>
    endpoints
      .filter((endpoint) => endpoint.applicationId === applicationId && takes(endpoint, type))
      .map(({ id: endpointId }) => ({ eventId, applicationId, endpointId })),
  );
  const sent = new Set(deliveries.map(({ eventId }) => eventId));
  await transaction.event.createMany({
    // Receipts hold the user's ids only while they have to be sent.
    data: rows.map((row) =>
      isReceiptEvent(row) && !sent.has(row.id) ? { ...row, tenantKey: null, externalSubjectId: null } : row,
    ),
  });
  await createDeliveries(service, transaction, now, deliveries);
}

export interface NewDelivery {
  readonly applicationId: string;
  readonly eventId: string;
  readonly endpointId: string;
}

/** Stores deliveries that are due now, and enqueues those for which their endpoint has room. */
export async function createDeliveries(
  service: Pick<Service, "queue">,
  transaction: Transaction,
  now: Date,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ id: newId(), ...delivery }));
  const tasks = await tasksFor(transaction, rows, now);
  await transaction.eventDelivery.createMany({
    data: rows.map((row) => ({ ...row, status: "WAITING", nextTryAt: now, createdAt: now })),
  });
  await service.queue.enqueueAll(transaction, tasks);
}

/** The tasks of deliveries that are due, as far as their endpoints have room. */
export async function tasksFor(
  transaction: Transaction,
  rows: readonly Omit<NewDelivery & RowKey, "eventId">[],
  now: Date,
): Promise<NewTask[]> {
  const tasks: NewTask[] = [];
  const room = new Map<string, number>();
  for (const { id, applicationId, endpointId } of rows) {
    const left = room.get(endpointId) ?? MOST_QUEUED - (await countDue(transaction, applicationId, endpointId, now));
    room.set(endpointId, left - 1);
    if (left > 0) tasks.push({ task: "deliver", id, applicationId, endpointId, provider: null, urgency: "requested" });
  }
  return tasks;
}

/** Ends the waiting deliveries of an endpoint that is turned off, and returns their number. Their tasks find nothing to send. */
export async function endDeliveries(
  transaction: Transaction,
  { id: endpointId, applicationId }: RowKey,
  now: Date,
): Promise<number> {
  const { count } = await transaction.eventDelivery.updateMany({
    where: { applicationId, endpointId, status: "WAITING" },
    data: { status: "FAILED", nextTryAt: null, finishedAt: now, problem: "ENDPOINT_OFF" },
  });
  return count;
}

/** Whether the application has an endpoint. A caller asks before a change that can be stored more quickly without an event. */
export async function hasEndpoints({ prisma }: Pick<Service, "prisma">, applicationId: string): Promise<boolean> {
  return (await prisma.eventEndpoint.findFirst({ where: { applicationId }, select: { id: true } })) !== null;
}

/** With a lock that only the removal of an endpoint conflicts with: it would fail the insert of a delivery. */
function lockEndpoints(transaction: Transaction, applicationIds: readonly string[]): Promise<Receiver[]> {
  const [applicationId, ...others] = applicationIds;
  // Citus plans a statement with one application faster.
  const owned = others.length > 0 ? ownedBy({ applicationIds }) : Prisma.sql`application_id = ${applicationId}::uuid`;
  return transaction.$queryRaw<Receiver[]>`
    SELECT id, application_id AS "applicationId", types, enabled FROM event_endpoint WHERE ${owned} FOR KEY SHARE`;
}

function takes({ types, enabled }: Receiver, type: EventTypeName): boolean {
  return enabled && (types.length === 0 || types.includes(type));
}

/** A condition for the deliveries that have tasks while there are not too many. */
export function isDueSoon(now: Date): Prisma.Sql {
  return Prisma.sql`event_delivery.status = 'WAITING' AND event_delivery.next_try_at <= ${timestamp(addMs(now, SOON_MS))}`;
}

async function countDue(
  transaction: Transaction,
  applicationId: string,
  endpointId: string,
  now: Date,
): Promise<number> {
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM event_delivery
       WHERE application_id = ${applicationId}::uuid AND endpoint_id = ${endpointId}::uuid AND ${isDueSoon(now)}
       LIMIT ${MOST_QUEUED}) AS waiting`;
  return row?.count ?? 0;
}
