import type { CancelReconnects } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

export async function cancelReconnects(
  transaction: Transaction,
  applicationId: string,
  { connectionId, statuses, olderThan, patch }: CancelReconnects,
  now: Date,
): Promise<void> {
  const older = olderThan && { id: { not: olderThan.id }, createdAt: { lte: olderThan.createdAt } };
  const open = { status: { in: [...statuses] }, expiresAt: { gt: now } };
  await transaction.connectAttempt.updateMany({
    where: { applicationId, reconnectConnectionId: connectionId, ...open, ...older },
    data: { ...patch, codeVerifierSealed: null },
  });
}
