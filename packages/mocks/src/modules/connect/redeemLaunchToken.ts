import { hasPassed, mayReturnTo, PROVIDER_TRAITS } from "@social-connect/domain";
import { requestedScopes } from "../../providers/scopes.ts";
import { authorizationUrl } from "../../state/addresses.ts";
import type { Application, ConnectAttempt } from "../../state/state.ts";
import { sha256Base64url, sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { LaunchOutcome, LaunchRequest } from "../browser/attempts.ts";
import { redeemLaunch } from "../browser/attempts.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { move, moveAll } from "./attempts.ts";

/** Redeems a launch token, redirects to the provider's consent page and binds the attempt to this browser. */
export function redeemLaunchToken(world: World, request: LaunchRequest): LaunchOutcome {
  return redeemLaunch(world, world.state.connectAttempts.values(), request, launch);
}

/** Moves the attempt to AUTHORIZING; also for a test that drives it without a browser. */
export function launch(world: World, attempt: ConnectAttempt, application: Application): LaunchOutcome {
  if (attempt.status === "EXPIRED") return { outcome: "expired" };
  if (attempt.status !== "CREATED") return { outcome: "token-spent" };
  if (hasPassed(attempt.expiresAt, world.now())) {
    move(attempt, "DEADLINE_PASSED");
    return { outcome: "expired" };
  }
  if (!application.enabled) {
    move(attempt, "APPLICATION_DISABLED");
    return { outcome: "unavailable" };
  }
  if (!mayReturnTo(attempt.returnUrl, application, world.settings.previewOriginTemplate)) {
    move(attempt, "POLICY_CHANGED");
    return { outcome: "unavailable" };
  }
  const registration = registrationOf(world, attempt.registrationId);
  if (registration.status !== "PUBLISHED") return { outcome: "unavailable" };
  const [state, browserSecret, codeVerifier] = [world.newSecret(), world.newSecret(), world.newSecret()];
  move(attempt, "LAUNCH_REDEEMED");
  attempt.browserHash = sha256Hex(browserSecret);
  attempt.stateHash = sha256Hex(state);
  cancelOlderReconnects(world, attempt);
  const location = authorizationUrl(world.settings, attempt.provider, {
    state,
    scopes: requestedScopes(registration.scopes, attempt.capabilities),
    codeChallenge: PROVIDER_TRAITS[attempt.provider].pkce ? sha256Base64url(codeVerifier) : null,
  });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}

/** Cancels older attempts to reconnect the same connection. */
function cancelOlderReconnects(world: World, attempt: ConnectAttempt): void {
  const target = attempt.reconnectConnectionId;
  if (target === null) return;
  moveAll(
    world,
    "SUPERSEDED",
    (one) => one.reconnectConnectionId === target && one.id !== attempt.id && one.createdAt <= attempt.createdAt,
  );
}
