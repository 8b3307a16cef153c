import { decideLaunch, PROVIDER_TRAITS } from "@social-connect/domain";
import { requestedScopes } from "../../providers/scopes.ts";
import { authorizationUrl } from "../../state/addresses.ts";
import type { Application, ConnectAttempt } from "../../state/state.ts";
import { sha256Base64url, sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { type LaunchOutcome, type LaunchRequest, redeemLaunch } from "../browser/launch.ts";
import { registrationOf } from "../registrations/findRegistration.ts";
import { cancelReconnects } from "./attempts.ts";

/** Redeems a launch token, redirects to the provider's consent page and binds the attempt to this browser. */
export function redeemLaunchToken(world: World, request: LaunchRequest): LaunchOutcome {
  return redeemLaunch(world, world.state.connectAttempts.values(), request, launch);
}

/** Launches the attempt; also for a test that drives it without a browser. */
export function launch(world: World, attempt: ConnectAttempt, application: Application): LaunchOutcome {
  const registration = registrationOf(world, attempt.registrationId);
  const facts = { attempt, application, registration, previewTemplate: world.settings.previewOriginTemplate };
  const { outcome, patch, followUps } = decideLaunch(facts, world.now());
  Object.assign(attempt, patch);
  if (outcome !== "redirect") return { outcome };
  for (const followUp of followUps) cancelReconnects(world, followUp);
  const [state, browserSecret, codeVerifier] = [world.newSecret(), world.newSecret(), world.newSecret()];
  attempt.browserHash = sha256Hex(browserSecret);
  attempt.stateHash = sha256Hex(state);
  const location = authorizationUrl(world.settings, attempt.provider, {
    state,
    scopes: requestedScopes(registration.scopes, attempt.capabilities),
    codeChallenge: PROVIDER_TRAITS[attempt.provider].pkce ? sha256Base64url(codeVerifier) : null,
  });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}
