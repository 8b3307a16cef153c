import type { IdentityAttemptEvent } from "@social-connect/domain";
import { callbackState, hasPassed, isIdentityDenial, moveIdentityAttempt } from "@social-connect/domain";
import { userAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/codeKey.ts";
import type { IdentityAttempt, SignedInUser } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { findByState } from "../browser/attempts.ts";

export type IdentityOutcome =
  | { readonly outcome: "ended" | "expired"; readonly attempt: IdentityAttempt }
  | { readonly outcome: "unknown-state" | "foreign-browser" | "state-used" };

/** The handoff does not check the time of the sign-in. */
const HARMLESS_FAULTS: readonly string[] = ["stale-auth-time"];

/**
 * Handles the identity provider's callback, once, before the deadline and in the browser of the launch. Only
 * `access_denied` is DENIED; every other error is FAILED.
 */
export function completeIdentity(
  world: World,
  callback: { readonly query: URLSearchParams; readonly browserSecretOf: (attemptId: string) => string | null },
): IdentityOutcome {
  const attempt = findByState(world, world.state.identityAttempts.values(), callbackState(callback.query));
  if (attempt === null) return { outcome: "unknown-state" };
  const secret = callback.browserSecretOf(attempt.id);
  if (secret === null || attempt.browserHash !== sha256Hex(secret)) return { outcome: "foreign-browser" };
  if (attempt.status === "EXPIRED") return { outcome: "expired", attempt };
  if (attempt.status !== "PENDING" || attempt.stateSpent) return { outcome: "state-used" };
  attempt.stateSpent = true;
  if (hasPassed(attempt.expiresAt, world.now()))
    return { outcome: "expired", attempt: end(attempt, "DEADLINE_PASSED") };
  if (isIdentityDenial(callback.query)) return { outcome: "ended", attempt: end(attempt, "ACCESS_DENIED") };
  const person = signIn(world, callback.query);
  return { outcome: "ended", attempt: end(attempt, person === null ? "HANDOFF_FAILED" : "SIGNED_IN", person) };
}

/** Exchanges the code for the user; null for an unknown code, and with a fault of the identity provider. */
function signIn(world: World, query: URLSearchParams): SignedInUser | null {
  const { identityCodes, issuerFaults } = world.state.providers;
  const key = identityCodeKey(query.get("code") ?? "", query.get("state") ?? "");
  const code = identityCodes.get(key);
  identityCodes.delete(key);
  const isForeign = query.has("iss") && query.get("iss") !== world.settings.issuerUrl;
  const isFaulty = issuerFaults.some((fault) => !HARMLESS_FAULTS.includes(fault));
  if (code === undefined || isFaulty || isForeign || query.getAll("code").length > 1) return null;
  return userAt(world.settings.issuerUrl, code.person);
}

export function end(
  attempt: IdentityAttempt,
  event: IdentityAttemptEvent,
  person: SignedInUser | null = null,
): IdentityAttempt {
  const status = moveIdentityAttempt(attempt.status, event);
  if (status === null) throw new Error(`a ${attempt.status} identity attempt cannot take ${event}`);
  return Object.assign(attempt, { status, person });
}
