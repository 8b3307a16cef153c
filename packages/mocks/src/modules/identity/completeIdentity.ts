import {
  callbackState,
  decideIdentityCallback,
  decideIdentityEnd,
  type IdentityAttemptEvent,
  isIdentityDenial,
  type SignedInUser,
} from "@social-connect/domain";
import { userAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/codeKey.ts";
import type { IdentityAttempt } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { findByState } from "../browser/launch.ts";

export type IdentityOutcome =
  | { readonly outcome: "ended" | "expired"; readonly attempt: IdentityAttempt }
  | { readonly outcome: "unknown-state" | "foreign-browser" | "state-used" };

/** The handoff does not check the time of the sign-in. */
const HARMLESS_FAULTS: readonly string[] = ["stale-auth-time"];

/** Handles the identity provider's callback. Every error but a denial is FAILED. */
export function completeIdentity(
  world: World,
  callback: { readonly query: URLSearchParams; readonly browserSecretOf: (attemptId: string) => string | null },
): IdentityOutcome {
  const attempt = findByState(world.state.identityAttempts.values(), callbackState(callback.query));
  const secret = attempt && callback.browserSecretOf(attempt.id);
  const facts = {
    attempt,
    isBoundBrowser: secret !== null && attempt?.browserHash === sha256Hex(secret),
    isStateUsed: attempt?.isStateUsed === true,
    isDenied: isIdentityDenial(callback.query),
  };
  const { outcome, patch } = decideIdentityCallback(facts, world.now());
  if (attempt === null || outcome === "unknown-state") return { outcome: "unknown-state" };
  if (outcome === "foreign-browser" || outcome === "state-used") return { outcome };
  if (patch !== null) Object.assign(attempt, patch, { isStateUsed: true });
  if (outcome !== "code") return { outcome, attempt };
  const user = signIn(world, callback.query);
  return { outcome: "ended", attempt: end(world, attempt, user === null ? "HANDOFF_FAILED" : "SIGNED_IN", user) };
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

/** Ends a PENDING attempt; an ended one does not change. */
export function end(
  world: World,
  attempt: IdentityAttempt,
  event: IdentityAttemptEvent,
  user: SignedInUser | null = null,
): IdentityAttempt {
  const patch = decideIdentityEnd(attempt, event, world.now());
  return patch === null ? attempt : Object.assign(attempt, patch, { user });
}
