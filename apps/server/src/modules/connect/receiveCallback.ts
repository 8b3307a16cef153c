import type { SocialProvider } from "@social-connect/contract";
import { callbackState, decideCallback, readConnectCallback } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { providerAddresses } from "../../providers/registration.ts";
import { attemptOfPage, type Callback, type CallbackOutcome, isBoundBrowser } from "../browser/launch.ts";
import { nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import type { Service } from "../service.ts";
import { changeAttempt, lockAttempt } from "./attemptRow.ts";

/** The provider's redirect. */
export interface CallbackRequest extends Callback {
  readonly provider: SocialProvider;
}

export type ReceivedCallback =
  | CallbackOutcome<ConnectAttempt>
  /** The attempt is EXCHANGING, and no other request can use the same state. */
  | { readonly outcome: "code"; readonly attempt: ConnectAttempt };

/** Receives a callback before any call to the provider. */
export async function receiveCallback(service: Service, request: CallbackRequest): Promise<ReceivedCallback> {
  const { provider, query, browserSecretOf } = request;
  const state = callbackState(query);
  if (state === null) return { outcome: "unknown-state" };
  const found = await service.prisma.connectAttempt.findFirst({
    where: { stateHash: sha256(state) },
    include: { application: { select: { enabled: true } }, registration: { select: { addresses: true } } },
  });
  if (found === null) return { outcome: "unknown-state" };
  const { issuer, authorization } = providerAddresses.parse(found.registration.addresses);
  const isBound = isBoundBrowser(found, browserSecretOf(found.id));
  const event = readConnectCallback(query, issuer ?? new URL(authorization).origin);
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found);
    const facts = { attempt, provider, isBoundBrowser: isBound, event, applicationEnabled: found.application.enabled };
    const { received: outcome, patch } = decideCallback(facts, now);
    if (attempt === null || outcome === "unknown-state") return { outcome: "unknown-state" };
    if (outcome === "foreign-browser" || outcome === "state-used") return { outcome, ...attemptOfPage(attempt) };
    const exchange = outcome === "code" ? { exchangeGeneration: await nextRevocationGeneration(transaction) } : {};
    return { outcome, attempt: await changeAttempt(transaction, attempt, patch, exchange) };
  });
}
