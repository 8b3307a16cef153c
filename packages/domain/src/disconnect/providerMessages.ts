import { addMs, hasPassed, isOlderThan } from "../time/time.ts";

/** A webhook is valid for this long after its signature. */
export const WEBHOOK_MAX_AGE_MS = 5 * 60_000;
/** A data deletion request can be delayed, and never concerns a consent that was given since. */
export const DELETION_REQUEST_MAX_AGE_MS = 24 * 60 * 60_000;

/** How much a provider's clock can be ahead. */
const CLOCK_TOLERANCE_MS = 60_000;
/** Providers write times in whole seconds, by their own clock. */
const CONSENT_TOLERANCE_MS = 5_000;

/**
 * Why a genuine message is refused because of its time; `null` if it is not. A message without a time would never expire, and
 * concern every later consent. `maxAgeMs` is null for a message that may arrive at any time.
 */
export function messageTimeProblem(
  signedAt: Date | null,
  maxAgeMs: number | null,
  now: Date,
): "untimed" | "future" | "old" | null {
  if (signedAt === null) return "untimed";
  if (!hasPassed(signedAt, addMs(now, CLOCK_TOLERANCE_MS))) return "future";
  return maxAgeMs !== null && isOlderThan(signedAt, maxAgeMs, now) ? "old" : null;
}

/** `updatedAt` is the time of its consent or renewal, or of its end. */
export interface GrantOfMessage {
  readonly status: "PENDING" | "ACTIVE" | "GONE";
  readonly updatedAt: Date;
}

/** Whether the consent of a grant was given or renewed after a message that ends it: the message can arrive late. */
export function isConsentSince({ status, updatedAt }: GrantOfMessage, signedAt: Date): boolean {
  return status !== "GONE" && updatedAt > addMs(signedAt, CONSENT_TOLERANCE_MS);
}
