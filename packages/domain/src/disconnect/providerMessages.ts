import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

/** A webhook is valid for this long after its signature. */
export const WEBHOOK_MAX_AGE_MS = 5 * 60_000;
/** A data deletion request can be delayed, and never concerns a consent that was given since. */
export const DELETION_REQUEST_MAX_AGE_MS = 24 * 60 * 60_000;

/** How much a provider's clock can be ahead. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Providers write times in whole seconds, by their own clock. */
const CONSENT_TOLERANCE_MS = 5_000;

/** Why a genuine message is refused because of its time; `null` if it is not. */
export function messageTimeProblem(signedAt: Date, maxAgeMs: number, now: Date): "future" | "old" | null {
  if (!hasPassed(signedAt, addMs(now, CLOCK_TOLERANCE_MS))) return "future";
  return isOlderThan(signedAt, maxAgeMs, now) ? "old" : null;
}

/** `updatedAt` is the time of its consent or renewal, or of its end. */
export interface GrantOfMessage {
  readonly status: "PENDING" | "ACTIVE" | "GONE";
  readonly updatedAt: Date;
}

/**
 * Whether the consent of a grant was given or renewed after a message that ends it: the message can arrive late. Without a
 * time, the message concerns every grant until now.
 */
export function isConsentSince({ status, updatedAt }: GrantOfMessage, signedAt: Date | null, now: Date): boolean {
  const latestEnded = signedAt === null ? now : addMs(signedAt, CONSENT_TOLERANCE_MS);
  return status !== "GONE" && updatedAt > latestEnded;
}
