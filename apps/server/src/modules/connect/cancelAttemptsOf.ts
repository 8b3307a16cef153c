import { moveAttempt } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

/**
 * Ends the attempts of an application that was disabled; gives how many. One that is exchanging its code at this moment
 * finds out when it wants to link the account.
 */
export async function cancelAttemptsOf(transaction: Transaction, applicationId: string): Promise<number> {
  let canceled = 0;
  for (const status of ["CREATED", "AUTHORIZING"] as const) {
    const move = moveAttempt(status, "APPLICATION_DISABLED");
    if (move === null) continue;
    const { count } = await transaction.connectAttempt.updateMany({
      where: { applicationId, status },
      data: { ...move, codeVerifierSealed: null },
    });
    canceled += count;
  }
  return canceled;
}
