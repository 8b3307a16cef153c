import { moveAttempt } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

/**
 * Ends the attempts of an application that was disabled; gives how many. One that is exchanging its code at this moment
 * finds out when it wants to link the account. One past its deadline is left to expire.
 */
export async function cancelAttemptsOf(transaction: Transaction, applicationId: string, now: Date): Promise<number> {
  let canceled = 0;
  for (const status of ["CREATED", "AUTHORIZING"] as const) {
    const move = moveAttempt(status, "APPLICATION_DISABLED");
    if (move === null) continue;
    const { count } = await transaction.connectAttempt.updateMany({
      where: { applicationId, status, expiresAt: { gt: now } },
      data: { ...move, codeVerifierSealed: null },
    });
    canceled += count;
  }
  return canceled;
}
