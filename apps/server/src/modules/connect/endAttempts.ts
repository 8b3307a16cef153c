import type { Transaction } from "../service.ts";

/** Attempts whose connection is being disconnected have nothing left to reconnect. One past its deadline is left to expire. */
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
