import type { IdentityAttemptEvent } from "@social-connect/domain";
import { callbackState, hasPassed, isIdentityDenial, moveIdentityAttempt } from "@social-connect/domain";
import { personAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/codeKey.ts";
import type { IdentityAttempt, SignedInPerson } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { findByState } from "../browser/attempts.ts";

export type IdentityOutcome =
  | { readonly outcome: "ended" | "expired"; readonly attempt: IdentityAttempt }
  | { readonly outcome: "unknown-state" | "foreign-browser" | "state-used" };

/** When somebody signed in matters to admins, and not to the handoff. */
const HARMLESS_LIES: readonly string[] = ["stale-auth-time"];

/**
 * The issuer's callback: the state's attempt in the browser that was bound at launch, once and in time. DENIED only for
 * `access_denied`; whatever else goes wrong is FAILED.
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

/** Who signed in, once the code is exchanged; null for a code that the issuer does not know, and while it lies. */
function signIn(world: World, query: URLSearchParams): SignedInPerson | null {
  const { identityCodes, identityLies } = world.state.providers;
  const key = identityCodeKey(query.get("code") ?? "", query.get("state") ?? "");
  const code = identityCodes.get(key);
  identityCodes.delete(key);
  const isForeign = query.has("iss") && query.get("iss") !== world.settings.issuerUrl;
  const isLie = identityLies.some((lie) => !HARMLESS_LIES.includes(lie));
  if (code === undefined || isLie || isForeign || query.getAll("code").length > 1) return null;
  return personAt(world.settings.issuerUrl, code.person);
}

export function end(
  attempt: IdentityAttempt,
  event: IdentityAttemptEvent,
  person: SignedInPerson | null = null,
): IdentityAttempt {
  const status = moveIdentityAttempt(attempt.status, event);
  if (status === null) throw new Error(`a ${attempt.status} identity attempt cannot take ${event}`);
  return Object.assign(attempt, { status, person });
}
