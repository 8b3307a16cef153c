import { moveIdentityAttempt } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

/** Ends the sign-ins of an application that was disabled; gives how many. */
export async function failIdentityAttemptsOf(transaction: Transaction, applicationId: string): Promise<number> {
  const status = moveIdentityAttempt("PENDING", "HANDOFF_FAILED");
  if (status === null) return 0;
  const { count } = await transaction.identityAttempt.updateMany({
    where: { applicationId, status: "PENDING" },
    data: { status, exchangeSealed: null },
  });
  return count;
}
