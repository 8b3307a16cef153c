import type { RowKey } from "../rowKey.ts";
import type { Transaction } from "../service.ts";

/** Ends the waiting deliveries of an endpoint that is turned off. Their tasks find nothing to send. */
export async function endDeliveries(
  transaction: Transaction,
  { id: endpointId, applicationId }: RowKey,
  now: Date,
): Promise<void> {
  await transaction.eventDelivery.updateMany({
    where: { applicationId, endpointId, status: "WAITING" },
    data: { status: "FAILED", nextTryAt: null, finishedAt: now, problem: "ENDPOINT_OFF" },
  });
}
