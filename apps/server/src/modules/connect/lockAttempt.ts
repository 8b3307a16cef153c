import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import type { RowKey } from "../rowKey.ts";
import { keyOf } from "../rowKey.ts";
import type { Transaction } from "../service.ts";

/** Locks the attempt's row to serialize concurrent browsers and callbacks. */
export async function lockAttempt(transaction: Transaction, attempt: RowKey): Promise<ConnectAttempt | null> {
  const { id, applicationId } = attempt;
  await transaction.$queryRaw`
    SELECT 1 FROM connect_attempt WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
  return transaction.connectAttempt.findUnique({ where: keyOf(attempt) });
}
