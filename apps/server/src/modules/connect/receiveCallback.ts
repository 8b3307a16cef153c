import type { SocialProvider } from "@social-connect/contract";
import { callbackState, decideCallback, readConnectCallback } from "@social-connect/domain";
import type { ConnectAttempt } from "../../_generated/prisma/client.ts";
import { sha256 } from "../../platform/hash.ts";
import { providerAddresses } from "../../providers/registration.ts";
import { isBoundBrowser } from "../browser/launch.ts";
import { nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import type { Service } from "../service.ts";
import { changeAttempt, lockAttempt } from "./store.ts";

/** The provider's redirect, as the browser delivers it. */
export interface CallbackRequest {
  readonly provider: SocialProvider;
  readonly query: URLSearchParams;
  /** The secret from the cookie that the launch set for this attempt, or null if the browser does not send it. */
  readonly browserSecretOf: (attemptId: string) => string | null;
}

export type ReceivedCallback =
  /** `code`: the attempt is EXCHANGING, and no other request can use the same state. */
  | { readonly received: "code" | "ended" | "malformed" | "expired"; readonly attempt: ConnectAttempt }
  | { readonly received: "unknown-state" }
  | { readonly received: "foreign-browser" | "state-used"; readonly attemptId: string };

/** Receives a callback before any call to the provider. */
export async function receiveCallback(service: Service, request: CallbackRequest): Promise<ReceivedCallback> {
  const { provider, query, browserSecretOf } = request;
  const state = callbackState(query);
  if (state === null) return { received: "unknown-state" };
  const found = await service.prisma.connectAttempt.findUnique({
    where: { stateHash: sha256(state) },
    include: { application: { select: { enabled: true } }, registration: { select: { addresses: true } } },
  });
  if (found === null) return { received: "unknown-state" };
  const { issuer, authorization } = providerAddresses.parse(found.registration.addresses);
  const isBound = isBoundBrowser(found, browserSecretOf(found.id));
  const event = readConnectCallback(query, issuer ?? new URL(authorization).origin);
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    const attempt = await lockAttempt(transaction, found.id);
    const facts = { attempt, provider, isBoundBrowser: isBound, event, applicationEnabled: found.application.enabled };
    const { received, patch } = decideCallback(facts, now);
    if (attempt === null || received === "unknown-state") return { received: "unknown-state" };
    if (received === "foreign-browser" || received === "state-used") return { received, attemptId: attempt.id };
    const exchange = received === "code" ? { exchangeGeneration: await nextRevocationGeneration(transaction) } : {};
    return { received, attempt: await changeAttempt(transaction, attempt, patch, exchange) };
  });
}
