import { hasPassed } from "../time/time.ts";
import { type ApplicationOrigins, isLaunchOriginAllowed } from "../urls/origin.ts";

export type LaunchRefusal =
  | { readonly outcome: "token-spent" }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean };

/**
 * Why a posted launch token does not launch its attempt; null when it may. `attempt` is null for an unknown token, and
 * counts as deleted once its result has expired. A post from another origin changes nothing, which prevents login CSRF: an
 * attacker's page cannot make a visitor finish the attacker's attempt.
 */
export function checkLaunch(
  attempt: { readonly resultExpiresAt: Date; readonly application: ApplicationOrigins } | null,
  { origin, previewTemplate }: { readonly origin: string | null; readonly previewTemplate: string | null },
  now: Date,
): LaunchRefusal | null {
  if (attempt === null || hasPassed(attempt.resultExpiresAt, now)) return { outcome: "token-spent" };
  if (isLaunchOriginAllowed(origin, attempt.application, previewTemplate)) return null;
  return { outcome: "origin-refused", originMissing: origin === null || origin === "null" };
}
