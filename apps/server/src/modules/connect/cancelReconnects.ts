import type { Transaction } from "../service.ts";

/** Attempts whose connection is being disconnected have nothing left to reconnect. */
export async function cancelReconnectsOf(transaction: Transaction, connectionId: string): Promise<void> {
  await transaction.connectAttempt.updateMany({
    where: { reconnectConnectionId: connectionId, status: { in: ["CREATED", "AUTHORIZING"] } },
    data: { status: "CANCELED", resultCode: "RECONNECT_TARGET_GONE", codeVerifierSealed: null },
  });
}
