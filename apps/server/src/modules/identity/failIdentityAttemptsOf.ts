import { moveIdentityAttempt } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

/** Ends the sign-ins of an application that was disabled; gives how many. One past its deadline is left to expire. */
export async function failIdentityAttemptsOf(
  transaction: Transaction,
  applicationId: string,
  now: Date,
): Promise<number> {
  const status = moveIdentityAttempt("PENDING", "HANDOFF_FAILED");
  if (status === null) return 0;
  const { count } = await transaction.identityAttempt.updateMany({
    where: { applicationId, status: "PENDING", expiresAt: { gt: now } },
    data: { status, exchangeSealed: null },
  });
  return count;
}
