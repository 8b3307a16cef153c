import type { Transaction } from "../service.ts";

/**
 * Cancels attempts to reconnect a connection that is being disconnected. Attempts after their deadline expire instead.
 */
export async function cancelReconnectsOf(transaction: Transaction, connectionId: string, now: Date): Promise<void> {
  await transaction.connectAttempt.updateMany({
    where: {
      reconnectConnectionId: connectionId,
      status: { in: ["CREATED", "AUTHORIZING"] },
      expiresAt: { gt: now },
    },
    data: { status: "CANCELED", resultCode: "RECONNECT_TARGET_GONE", codeVerifierSealed: null },
  });
}
