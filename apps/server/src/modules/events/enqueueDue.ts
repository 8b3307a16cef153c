import { type EventEndpoint, Prisma } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { type Position, rowSweep, timestamp } from "../sweeps/sweep.ts";
import { isDueSoon, MOST_QUEUED } from "./recordEvents.ts";

const ENDPOINTS_PER_BATCH = 100;

interface DueDelivery {
  readonly id: string;
  readonly nextTryAt: Date;
}

/** While so many tasks of an endpoint wait, only a try that is repeated adds one: to find the others costs more than a delivery. */
const ENOUGH_QUEUED = MOST_QUEUED / 2;

/**
 * Enqueues the deliveries of an endpoint that are due first and have no task. The caller has locked the endpoint. `ended` is the
 * delivery whose task ends now.
 */
export async function enqueueDue(
  { queue }: Pick<Service, "queue">,
  transaction: Transaction,
  { id: endpointId, applicationId }: RowKey,
  now: Date,
  ended?: string,
): Promise<void> {
  const owner = { applicationId, endpointId, provider: null, urgency: "requested" } as const;
  const isFull = ended !== undefined && (await queue.hasDeliveries(transaction, owner, ENOUGH_QUEUED));
  const only = isFull ? Prisma.sql`AND id = ${ended}::uuid` : Prisma.empty;
  const due = await transaction.$queryRaw<DueDelivery[]>`
    SELECT id, next_try_at AS "nextTryAt" FROM event_delivery
     WHERE application_id = ${applicationId}::uuid AND endpoint_id = ${endpointId}::uuid AND ${isDueSoon(now)} ${only}
     ORDER BY next_try_at LIMIT ${MOST_QUEUED}`;
  const isAlone = due.every(({ id }) => id === ended);
  const queued = isAlone ? null : await queue.findDeliveries(transaction, owner);
  const tasks = due
    .filter(({ id }) => id === ended || !queued?.has(id))
    .map(({ id, nextTryAt: startAfter }) => ({ task: "deliver", id, startAfter, ...owner }) as const);
  if (tasks.length > 0) await queue.enqueueAll(transaction, tasks, now);
}

/** Tries of one endpoint are stored one after another, so that no two enqueue the same delivery. */
export async function lockEndpoint(
  transaction: Transaction,
  { id, applicationId }: RowKey,
): Promise<Pick<EventEndpoint, "failingSince"> | null> {
  const [endpoint] = await transaction.$queryRaw<Pick<EventEndpoint, "failingSince">[]>`
    SELECT failing_since AS "failingSince" FROM event_endpoint
     WHERE application_id = ${applicationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return endpoint ?? null;
}

interface DueEndpoint extends Position, RowKey {}

/** Enqueues what is due and has no task: retries after a longer delay, and tasks that were lost. */
export const ENQUEUE_DUE_DELIVERIES = rowSweep("enqueueDueDeliveries", {
  batchSize: ENDPOINTS_PER_BATCH,
  find: ({ prisma }, now, after, limit) => prisma.$queryRaw<DueEndpoint[]>`
    SELECT id, application_id AS "applicationId", created_at AS "createdAt" FROM event_endpoint
     WHERE enabled AND (created_at, id) > (${timestamp(after.createdAt)}, ${after.id}::uuid) AND EXISTS (
       SELECT FROM event_delivery
        WHERE event_delivery.application_id = event_endpoint.application_id
          AND event_delivery.endpoint_id = event_endpoint.id AND ${isDueSoon(now)})
     ORDER BY created_at, id LIMIT ${limit}`,
  handle: (service, endpoint, now) =>
    service.prisma.$transaction(async (transaction) => {
      if ((await lockEndpoint(transaction, endpoint)) !== null) await enqueueDue(service, transaction, endpoint, now);
    }),
});
