import { attemptCreatorAction, mayReturnTo, moveAttempt } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

/**
 * Ends the attempts of an application that was disabled; gives how many. One that is exchanging its code at this moment
 * finds out when it wants to link the account. One past its deadline is left to expire.
 */
export async function cancelAttemptsOf(transaction: Transaction, applicationId: string, now: Date): Promise<number> {
  let canceled = 0;
  for (const status of ["CREATED", "AUTHORIZING"] as const) {
    const move = moveAttempt(status, "APPLICATION_DISABLED");
    if (move === null) continue;
    const { count } = await transaction.connectAttempt.updateMany({
      where: { applicationId, status, expiresAt: { gt: now } },
      data: { ...move, codeVerifierSealed: null },
    });
    canceled += count;
  }
  return canceled;
}

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

const UNFINISHED = ["CREATED", "AUTHORIZING", "EXCHANGING"] as const;

/**
 * Ends the unfinished attempts of an application whose return URL it no longer allows: a URL is removed because it must not be
 * reached any more. One that is exchanging its code revokes the grant when it finds out; one past its deadline is left to expire. The
 * caller holds the application's row.
 */
export async function failUnreturnable(
  service: Service,
  transaction: Transaction,
  application: Application,
  now: Date,
): Promise<void> {
  const inTime = { applicationId: application.id, expiresAt: { gt: now } };
  const named = await transaction.connectAttempt.findMany({
    where: { ...inTime, status: { in: [...UNFINISHED] } },
    select: { returnUrl: true, status: true, provider: true },
    distinct: ["returnUrl", "status", "provider"],
  });
  for (const { returnUrl, status, provider } of named) {
    const move = moveAttempt(status, "POLICY_CHANGED");
    if (move === null || mayReturnTo(returnUrl, application, service.previewOriginTemplate)) continue;
    const isLeftBehind = status === "EXCHANGING" && !service.provider(provider).traits.canRevoke;
    await transaction.connectAttempt.updateMany({
      where: { ...inTime, returnUrl, status, provider },
      data: { ...move, creatorAction: attemptCreatorAction(isLeftBehind) },
    });
  }
}
