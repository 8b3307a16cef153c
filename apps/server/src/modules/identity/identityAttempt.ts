import { mayReturnFromIdentityTo, moveIdentityAttempt } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { Transaction } from "../service.ts";

/** What has to be remembered between sending the browser to the issuer and its return; sealed in the attempt's row. */
export interface ExchangeSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export function exchangeBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/exchange`;
}

/** What the identity provider said of the person; all null unless the sign-in completed. */
export interface SignedInPerson {
  readonly issuer: string | null;
  readonly idpSub: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  readonly pictureUrl: string | null;
}

/** Names the row and column of a sealed result. */
export function identityResultBinding(attemptId: string): string {
  return `identity_attempt/${attemptId}/result`;
}

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

/** Ends the unfinished sign-ins of an application whose return URL is no longer registered. The caller holds the application's row. */
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
