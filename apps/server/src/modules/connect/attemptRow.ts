import { type AttemptPatch, attemptEvent, isUnfinished } from "@social-connect/domain";
import type { ConnectAttempt, Prisma } from "../../_generated/prisma/client.ts";
import { recordEvents } from "../events/recordEvents.ts";
import { keyOf, type RowKey } from "../rowKey.ts";
import type { Service, Transaction } from "../service.ts";

/** Locks the attempt's row to serialize concurrent browsers and callbacks. */
export async function lockAttempt(transaction: Transaction, attempt: RowKey): Promise<ConnectAttempt | null> {
  const { id, applicationId } = attempt;
  await transaction.$queryRaw`
    SELECT 1 FROM connect_attempt WHERE id = ${id}::uuid AND application_id = ${applicationId}::uuid FOR UPDATE`;
  return transaction.connectAttempt.findUnique({ where: keyOf(attempt) });
}

/**
 * Writes what the domain decided of an attempt, and tells its application if it has ended; null changes nothing. The caller
 * holds `lockAttempt`. An attempt that has ended no longer needs its verifier.
 */
export async function changeAttempt(
  service: Pick<Service, "queue">,
  transaction: Transaction,
  attempt: ConnectAttempt,
  patch: AttemptPatch | null,
  now: Date,
  secrets: Prisma.ConnectAttemptUncheckedUpdateInput = {},
): Promise<ConnectAttempt> {
  if (patch === null) return attempt;
  const hasEnded = patch.status !== undefined && !isUnfinished(patch.status);
  const data = { ...patch, ...secrets, ...(hasEnded && { codeVerifierSealed: null }) };
  const changed = await transaction.connectAttempt.update({ where: keyOf(attempt), data });
  if (changed.status !== attempt.status) await recordEvents(service, transaction, now, [attemptEvent(changed)]);
  return changed;
}
