import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { hasPassed } from "../time/time.ts";
import { type AttemptPatch, type ConnectAttempt, changeAttempt } from "./connectAttempt.ts";
import type { readConnectCallback } from "./connectCallback.ts";

export interface CallbackFacts {
  /** The attempt of the state, locked; null for an unknown state. */
  readonly attempt:
    | (Pick<ConnectAttempt, "status" | "provider" | "expiresAt" | "resultExpiresAt"> & {
        readonly resultCode: string | null;
        /** The revocation counter when its code exchange started; null before. */
        readonly exchangeGeneration: bigint | number | null;
      })
    | null;
  /** The provider whose callback address the browser was sent to. */
  readonly provider: SocialProvider;
  /** The callback arrived in the browser that the launch bound. */
  readonly isBoundBrowser: boolean;
  readonly event: ReturnType<typeof readConnectCallback>;
  readonly applicationEnabled: boolean;
}

export interface CallbackDecision {
  /** `code`: the code may be exchanged. `ended`: the attempt has ended, with or before this callback. */
  readonly received: "code" | "ended" | "expired" | "malformed" | "unknown-state" | "foreign-browser" | "state-used";
  readonly patch: AttemptPatch | null;
}

/**
 * Decides a provider's callback before its code is exchanged: the state must exist, belong to this provider, be unused and
 * unexpired, and arrive in the browser that the launch bound, in a form that the protocol allows (RFC 6749 4.1.2, RFC 9700
 * 4.7, RFC 9207).
 */
export function decideCallback(facts: CallbackFacts, now: Date): CallbackDecision {
  const { attempt, provider, event } = facts;
  if (attempt === null || attempt.provider !== provider || hasPassed(attempt.resultExpiresAt, now)) {
    return { received: "unknown-state", patch: null };
  }
  if (!facts.isBoundBrowser) return { received: "foreign-browser", patch: null };
  // The user consented after the attempt had ended. Without revocation at the provider, only the user can withdraw that.
  const isLateConsent = event === "CODE_RECEIVED" && !PROVIDER_TRAITS[provider].canRevoke;
  const late: AttemptPatch | null = isLateConsent ? { creatorAction: "REMOVE_APP_AT_PROVIDER" } : null;
  if (attempt.status === "CANCELED") return { received: "ended", patch: null };
  if (attempt.status === "EXPIRED") return { received: "expired", patch: late };
  // Its return URL was removed.
  if (attempt.resultCode === "POLICY_CHANGED" && attempt.exchangeGeneration === null) {
    return { received: "ended", patch: late };
  }
  if (attempt.status !== "AUTHORIZING") return { received: "state-used", patch: null };
  if (hasPassed(attempt.expiresAt, now)) {
    return { received: "expired", patch: { ...changeAttempt(attempt, "DEADLINE_PASSED"), ...late } };
  }
  if (!facts.applicationEnabled) return { received: "ended", patch: changeAttempt(attempt, "APPLICATION_DISABLED") };
  if (event === "malformed") return { received: "malformed", patch: changeAttempt(attempt, "CALLBACK_ERROR") };
  return { received: event === "CODE_RECEIVED" ? "code" : "ended", patch: changeAttempt(attempt, event) };
}
