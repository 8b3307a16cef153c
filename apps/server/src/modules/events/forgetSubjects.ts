import { Prisma } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";
import { updateSweep } from "../sweeps/sweep.ts";

/** Receipts whose deliveries have all ended, on the index of receipts that name a user. */
const IS_FORGETTABLE = Prisma.sql`external_subject_id IS NOT NULL AND type IN ('receipt.revoke', 'receipt.erase')
  AND NOT EXISTS (SELECT FROM event_delivery WHERE event_delivery.event_id = event.id
                     AND event_delivery.application_id = event.application_id AND event_delivery.status = 'WAITING')`;
const FORGET = Prisma.sql`tenant_key = NULL, external_subject_id = NULL`;

/**
 * Clears the user's ids from an event if it is a receipt whose deliveries have all ended. Until then the receiver needs them,
 * although the connection may be erased.
 */
export async function forgetSubject(
  client: Service["prisma"] | Transaction,
  { id, applicationId }: RowKey,
): Promise<void> {
  await client.$executeRaw`
    UPDATE event SET ${FORGET} WHERE application_id = ${applicationId}::uuid AND id = ${id}::uuid AND ${IS_FORGETTABLE}`;
}

/** The same for receipts whose last delivery ended otherwise: its endpoint was turned off or removed. */
export const FORGET_SUBJECTS = updateSweep("forgetReceiptSubjects", {
  table: "event",
  order: "application_id",
  due: () => IS_FORGETTABLE,
  set: FORGET,
});
