import { attemptCreatorAction, mayReturnFromIdentityTo, mayReturnTo, moveAttempt } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { Service, Transaction } from "../service.ts";

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

/** The same for the identity handoff. */
export async function failUnreturnableIdentities(
  transaction: Transaction,
  application: Application,
  now: Date,
): Promise<void> {
  const pending = { applicationId: application.id, status: "PENDING", expiresAt: { gt: now } } as const;
  const named = await transaction.identityAttempt.findMany({
    where: pending,
    select: { returnUrl: true },
    distinct: ["returnUrl"],
  });
  const removed = named
    .map(({ returnUrl }) => returnUrl)
    .filter((returnUrl) => !mayReturnFromIdentityTo(returnUrl, application));
  if (removed.length === 0) return;
  await transaction.identityAttempt.updateMany({
    where: { ...pending, returnUrl: { in: removed } },
    data: { status: "FAILED", exchangeSealed: null },
  });
}
