import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { expiredAttemptCreatorAction, moveAttempt } from "@social-connect/domain";
import type { Service } from "../service.ts";

const UNFINISHED = ["CREATED", "AUTHORIZING", "EXCHANGING"] as const;

/**
 * Stores the EXPIRED status that readers of overdue attempts already see, and clears data that only an unfinished
 * attempt needs. The state hash remains, so that a late callback shows the expiry page instead of an unknown state.
 * Source: service description, part 3.
 */
export async function expireAttempts(service: Service): Promise<number> {
  const now = await service.clock.now();
  let expired = 0;
  for (const status of UNFINISHED) {
    const move = moveAttempt(status, "DEADLINE_PASSED");
    if (move === null) continue;
    for (const creatorAction of [null, "REMOVE_APP_AT_PROVIDER"] as const) {
      const providers = SOCIAL_PROVIDERS.filter(
        (provider) => expiredAttemptCreatorAction({ status, provider }) === creatorAction,
      );
      const { count } = await service.prisma.connectAttempt.updateMany({
        where: { status, provider: { in: providers }, expiresAt: { lte: now } },
        data: { ...move, codeVerifierSealed: null, creatorAction },
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
