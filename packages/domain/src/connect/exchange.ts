import { CAPABILITIES, type Capability } from "@social-connect/contract";
import type { Change } from "../decisions/change.ts";
import type { ProviderFault } from "../jobs/retry.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import {
  type AttemptPatch,
  type ConnectAttempt,
  type ConnectAttemptEvent,
  changeAttempt,
  eventInTime,
} from "./connectAttempt.ts";

/** Requested and granted capabilities at the latest consent, in the order of the enumeration. */
export function connectionCapabilities(requested: readonly Capability[], granted: readonly Capability[]): Capability[] {
  return CAPABILITIES.filter((capability) => requested.includes(capability) && granted.includes(capability));
}

export function isTransientFault({ kind }: Pick<ProviderFault, "kind">): boolean {
  return kind === "unavailable" || kind === "rate_limited";
}

/**
 * How an attempt ends whose code exchange or first read failed. `wasRevoked`: the account's provider revoked a grant of the
 * application since the exchange started; then a new grant that is already invalid was probably revoked too.
 */
export function exchangeFailureEvent(
  fault: Pick<ProviderFault, "kind">,
  wasRevoked = false,
): "PROVIDER_UNAVAILABLE" | "EXCHANGE_REFUSED" | "POLICY_CHANGED" {
  if (wasRevoked && (fault.kind === "grant_gone" || fault.kind === "access_expired")) return "POLICY_CHANGED";
  return isTransientFault(fault) ? "PROVIDER_UNAVAILABLE" : "EXCHANGE_REFUSED";
}

/** What happens to the pending grant of an attempt that ends without a connection. */
export interface AbandonGrant<Grant> {
  readonly type: "REVOKE_GRANT" | "DELETE_GRANT";
  readonly grant: Grant;
}

/**
 * Ends an attempt that failed after the user's consent, unless it has ended already. Its grant, if the exchange returned
 * one, is revoked. A grant that a working connection shares is only deleted, because a revoke would end that connection.
 */
export function decideAbandon<Grant extends { readonly isShared: boolean }>(
  attempt: Pick<ConnectAttempt, "status" | "provider" | "expiresAt">,
  event: ConnectAttemptEvent,
  grant: Grant | null,
  now: Date,
): Change<AttemptPatch | null, AbandonGrant<Grant>> {
  const isRevoked = PROVIDER_TRAITS[attempt.provider].canRevoke && grant?.isShared === false;
  return {
    patch: attempt.status === "EXCHANGING" ? changeAttempt(attempt, eventInTime(attempt, event, now)) : null,
    followUps: grant === null ? [] : [{ type: isRevoked ? "REVOKE_GRANT" : "DELETE_GRANT", grant }],
  };
}
