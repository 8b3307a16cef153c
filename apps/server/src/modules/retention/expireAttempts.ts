import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { changeAttempt, UNFINISHED_STATUSES } from "@social-connect/domain";
import type { Service } from "../service.ts";

/**
 * Stores the EXPIRED status that readers of overdue attempts already see, and clears data that only an unfinished
 * attempt needs. The state hash remains, so that a late callback shows the expiry page instead of an unknown state.
 * Source: service description, part 3.
 */
export async function expireAttempts(service: Service): Promise<number> {
  const now = await service.clock.now();
  let expired = 0;
  for (const provider of SOCIAL_PROVIDERS) {
    for (const status of UNFINISHED_STATUSES) {
      const { count } = await service.prisma.connectAttempt.updateMany({
        where: { status, provider, expiresAt: { lte: now } },
        data: { ...changeAttempt({ status, provider }, "DEADLINE_PASSED"), codeVerifierSealed: null },
      });
      expired += count;
    }
  }
  const identity = await service.prisma.identityAttempt.updateMany({
    where: { status: "PENDING", expiresAt: { lte: now } },
    data: { status: "EXPIRED", exchangeSealed: null },
  });
  return expired + identity.count;
}
