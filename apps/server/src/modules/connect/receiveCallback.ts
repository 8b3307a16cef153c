import type { ConnectResultCode, SocialProvider } from "@social-connect/contract";
import type { ConnectAttemptEvent } from "@social-connect/domain";
import {
  callbackState,
  hasPassed,
  lateConsentCreatorAction,
  moveAttempt,
  readConnectCallback,
} from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { providerAddresses } from "../../providers/registration.ts";
import { isBoundBrowser } from "../browser/launch.ts";
import { loadRegistration } from "../registrations/readRegistrations.ts";
import { nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import type { Service, Transaction } from "../service.ts";
import { lockAttempt } from "./store.ts";

/** The provider's redirect, as the browser delivers it. */
export interface CallbackRequest {
  readonly provider: SocialProvider;
  readonly query: URLSearchParams;
  /** The secret from the cookie that the launch set for this attempt, or null if the browser does not send it. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type ReceivedCallback =
  /** The code may be exchanged. The attempt is EXCHANGING, and no other request can use the same state. */
  | { readonly received: "code"; readonly attempt: ConnectAttempt }
  /** The attempt ended without an exchange, or before this callback. */
  | { readonly received: "ended"; readonly attempt: ConnectAttempt }
  | { readonly received: "malformed" | "expired"; readonly attempt: ConnectAttempt }
  | { readonly received: "unknown-state" }
  | { readonly received: "foreign-browser" | "state-used"; readonly attemptId: string };

/**
 * Validates a callback before any call to the provider: the state must exist, belong to this provider, be unused and
 * unexpired, and arrive in the browser bound at launch, in a form the protocol allows (RFC 6749 4.1.2, RFC 9700 4.7,
 * RFC 9207).
 */
export async function receiveCallback(service: Service, request: CallbackRequest): Promise<ReceivedCallback> {
  const state = callbackState(request.query);
  if (state === null) return { received: "unknown-state" };
  const found = await service.prisma.connectAttempt.findUnique({
    where: { stateHash: sha256(state) },
    include: { application: { select: { enabled: true } } },
  });
  if (found === null || found.provider !== request.provider) return { received: "unknown-state" };
  const now = await service.clock.now();
  if (hasPassed(found.resultExpiresAt, now)) return { received: "unknown-state" };
  if (!isBoundBrowser(found, request.browserSecretOf(found.id)))
    return { received: "foreign-browser", attemptId: found.id };

  const registration = await loadRegistration(service.prisma, found.registrationId);
  const addresses = providerAddresses.parse(registration.addresses);
  const event = readConnectCallback(request.query, addresses.issuer ?? new URL(addresses.authorization).origin);
  return service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found.id);
    if (attempt === null) return { received: "unknown-state" };
    const consented = (late: ConnectAttempt) => (event === "CODE_RECEIVED" ? noteLateConsent(transaction, late) : late);
    if (attempt.status === "CANCELED") return { received: "ended", attempt };
    if (attempt.status === "EXPIRED") return { received: "expired", attempt: await consented(attempt) };
    if (isEndedBeforeExchange(attempt)) return { received: "ended", attempt: await consented(attempt) };
    if (attempt.status !== "AUTHORIZING") return { received: "state-used", attemptId: found.id };
    if (hasPassed(attempt.expiresAt, now)) {
      const expired = await move(transaction, attempt, "DEADLINE_PASSED");
      return { received: "expired", attempt: await consented(expired) };
    }
    if (!found.application.enabled)
      return { received: "ended", attempt: await move(transaction, attempt, "APPLICATION_DISABLED") };
    if (event === "malformed")
      return { received: "malformed", attempt: await move(transaction, attempt, "CALLBACK_ERROR") };
    const next = await move(transaction, attempt, event);
    if (event !== "CODE_RECEIVED") return { received: "ended", attempt: next };
    const exchangeGeneration = await nextRevocationGeneration(transaction);
    return {
      received: "code",
      attempt: await transaction.connectAttempt.update({ where: { id: attempt.id }, data: { exchangeGeneration } }),
    };
  });
}

/** Ended before its code arrived, because its return URL was removed. The exchange never started. */
function isEndedBeforeExchange({ resultCode, exchangeGeneration }: ConnectAttempt): boolean {
  return resultCode === "POLICY_CHANGED" && exchangeGeneration === null;
}

/** Records that the user consented after the attempt ended. The code is not exchanged. */
async function noteLateConsent(transaction: Transaction, attempt: ConnectAttempt): Promise<ConnectAttempt> {
  const { provider, status } = attempt;
  const resultCode = attempt.resultCode as ConnectResultCode | null;
  const creatorAction = lateConsentCreatorAction({ provider, status, resultCode });
  if (creatorAction === null) return attempt;
  return transaction.connectAttempt.update({ where: { id: attempt.id }, data: { creatorAction } });
}

/** Applies an event to an attempt. The caller holds `lockAttempt` in the same transaction. */
export async function move(
  transaction: Transaction,
  attempt: ConnectAttempt,
  event: ConnectAttemptEvent,
): Promise<ConnectAttempt> {
  const next = moveAttempt(attempt.status, event);
  if (next === null) throw new Error(`Cannot move an attempt from ${attempt.status} on ${event}.`);
  const ended = next.status === "EXCHANGING" ? {} : { codeVerifierSealed: null };
  return transaction.connectAttempt.update({ where: { id: attempt.id }, data: { ...next, ...ended } });
}
