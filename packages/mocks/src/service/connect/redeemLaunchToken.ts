import { hasPassed, isLaunchOriginAllowed, isLaunchToken, mayReturnTo, PROVIDER_TRAITS } from "@social-connect/domain";
import { authorizationUrl } from "../../http/addresses.ts";
import { requestedScopes } from "../../providers/scopes.ts";
import { sha256Base64url, sha256Hex } from "../../world/hash.ts";
import type { Application, ConnectAttempt } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { move, moveAll } from "./attempts.ts";

export type LaunchOutcome =
  | {
      readonly outcome: "redirect";
      readonly location: string;
      readonly attemptId: string;
      /** What the cookie holds that binds the attempt to the browser. */
      readonly browserSecret: string;
    }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean }
  | { readonly outcome: "token-spent" | "expired" | "unavailable" };

/**
 * Trades the one-use launch token, posted by the application's page, for the provider's consent page, and binds the
 * attempt to this browser. A post from another origin changes nothing.
 */
export function redeemLaunchToken(
  world: World,
  { launchToken, origin }: { readonly launchToken: string; readonly origin: string | null },
): LaunchOutcome {
  const found = findByToken(world, world.state.connectAttempts.values(), launchToken);
  const application = found && world.state.applications.get(found.applicationId);
  if (!found || !application) return { outcome: "token-spent" };
  if (!isLaunchOriginAllowed(origin, application, world.settings.previewOriginTemplate)) {
    return { outcome: "origin-refused", originMissing: origin === null || origin === "null" };
  }
  return launch(world, found, application);
}

/** Moves the attempt to AUTHORIZING, as the launch form of its page does; also for a test that drives it without a browser. */
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

/** The attempt of a token. Past the time at which its result can be read it counts as gone, swept or not. */
export function findByToken<Attempt extends { readonly launchTokenHash: string; readonly resultExpiresAt: Date }>(
  world: World,
  attempts: Iterable<Attempt>,
  launchToken: string,
): Attempt | null {
  if (!isLaunchToken(launchToken)) return null;
  const hash = sha256Hex(launchToken);
  for (const attempt of attempts) {
    if (attempt.launchTokenHash === hash) return hasPassed(attempt.resultExpiresAt, world.now()) ? null : attempt;
  }
  return null;
}

/** Older attempts to reconnect the same connection, which a newer one that gets under way replaces. */
function cancelOlderReconnects(world: World, attempt: ConnectAttempt): void {
  const target = attempt.reconnectConnectionId;
  if (target === null) return;
  moveAll(
    world,
    "SUPERSEDED",
    (one) => one.reconnectConnectionId === target && one.id !== attempt.id && one.createdAt <= attempt.createdAt,
  );
}
