import { decideLaunchIdentity } from "@social-connect/domain";
import { issuerAuthorizationUrl } from "../../state/addresses.ts";
import type { Application, IdentityAttempt } from "../../state/state.ts";
import { sha256Base64url, sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import { type LaunchOutcome, type LaunchRequest, redeemLaunch } from "../browser/launch.ts";

/** Redeems a launch token and redirects to the identity provider, with the same rules as Connect. */
export function launchIdentity(world: World, request: LaunchRequest): LaunchOutcome {
  return redeemLaunch(world, world.state.identityAttempts.values(), request, startIdentity);
}

export function startIdentity(world: World, attempt: IdentityAttempt, application: Application): LaunchOutcome {
  const { outcome, patch } = decideLaunchIdentity(attempt, application, world.now());
  if (outcome !== "redirect") return { outcome };
  const [state, browserSecret, nonce, verifier] = [
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
  ];
  Object.assign(attempt, patch, { browserHash: sha256Hex(browserSecret), stateHash: sha256Hex(state) });
  const location = issuerAuthorizationUrl(world.settings, { state, nonce, codeChallenge: sha256Base64url(verifier) });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}
