import type { RowKey } from "../rowKey.ts";
import type { Transaction } from "../service.ts";

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
