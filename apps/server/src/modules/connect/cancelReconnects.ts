import type { CancelReconnects } from "@social-connect/domain";
import type { Transaction } from "../service.ts";

export async function cancelReconnects(
  transaction: Transaction,
  applicationId: string,
  { connectionId, statuses, createdBefore, patch }: CancelReconnects,
  now: Date,
): Promise<void> {
  const older = createdBefore && { createdAt: { lt: createdBefore } };
  const open = { status: { in: [...statuses] }, expiresAt: { gt: now } };
  await transaction.connectAttempt.updateMany({
    where: { applicationId, reconnectConnectionId: connectionId, ...open, ...older },
    data: { ...patch, codeVerifierSealed: null },
  });
}
