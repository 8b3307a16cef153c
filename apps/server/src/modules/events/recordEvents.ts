import type { EventTypeName } from "@social-connect/contract";
import { isReceiptEvent, type NewEvent } from "@social-connect/domain";
import type { EventEndpoint } from "../../_generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { RowKey } from "../rowKey.ts";
import type { NewTask, Service, Transaction } from "../service.ts";

/** Tasks of an endpoint beyond this number are enqueued when others end, or by a sweep. */
export const MOST_QUEUED = 100;

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
  const tasks = await tasksFor(transaction, rows);
  await transaction.eventDelivery.createMany({
    data: rows.map((row) => ({ ...row, status: "WAITING", nextTryAt: now, createdAt: now })),
  });
  await service.queue.enqueueAll(transaction, tasks);
}

/** The tasks of deliveries that are due, as far as their endpoints have room. */
export async function tasksFor(
  transaction: Transaction,
  rows: readonly Omit<NewDelivery & RowKey, "eventId">[],
): Promise<NewTask[]> {
  const tasks: NewTask[] = [];
  const room = new Map<string, number>();
  for (const { id, applicationId, endpointId } of rows) {
    const left = room.get(endpointId) ?? MOST_QUEUED - (await countWaiting(transaction, applicationId, endpointId));
    room.set(endpointId, left - 1);
    if (left > 0) tasks.push({ task: "deliver", id, applicationId, endpointId, provider: null, urgency: "requested" });
  }
  return tasks;
}

/** Whether the application has an endpoint. A caller asks before a change that can be stored more quickly without an event. */
export async function hasEndpoints({ prisma }: Pick<Service, "prisma">, applicationId: string): Promise<boolean> {
  return (await prisma.eventEndpoint.findFirst({ where: { applicationId }, select: { id: true } })) !== null;
}

/** With a lock that only the removal of an endpoint conflicts with: it would fail the insert of a delivery. */
function lockEndpoints(transaction: Transaction, applicationIds: readonly string[]): Promise<Receiver[]> {
  return transaction.$queryRaw<Receiver[]>`
    SELECT id, application_id AS "applicationId", types, enabled FROM event_endpoint
     WHERE application_id = ANY(${applicationIds}::uuid[]) FOR KEY SHARE`;
}

function takes({ types, enabled }: Receiver, type: EventTypeName): boolean {
  return enabled && (types.length === 0 || types.includes(type));
}

async function countWaiting(transaction: Transaction, applicationId: string, endpointId: string): Promise<number> {
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM event_delivery
       WHERE application_id = ${applicationId}::uuid AND endpoint_id = ${endpointId}::uuid AND status = 'WAITING'
       LIMIT ${MOST_QUEUED}) AS waiting`;
  return row?.count ?? 0;
}
