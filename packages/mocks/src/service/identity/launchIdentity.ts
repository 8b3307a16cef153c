import { hasPassed, isLaunchOriginAllowed } from "@social-connect/domain";
import { issuerAuthorizationUrl } from "../../http/addresses.ts";
import { sha256Base64url, sha256Hex } from "../../world/hash.ts";
import type { Application, IdentityAttempt } from "../../world/state.ts";
import type { World } from "../../world/world.ts";
import type { LaunchOutcome } from "../connect/redeemLaunchToken.ts";
import { findByToken } from "../connect/redeemLaunchToken.ts";

/** Trades the one-use launch token for the issuer's sign-in page; the same rules of origin and browser as for Connect. */
export function launchIdentity(
  world: World,
  { launchToken, origin }: { readonly launchToken: string; readonly origin: string | null },
): LaunchOutcome {
  const found = findByToken(world, world.state.identityAttempts.values(), launchToken);
  const application = found && world.state.applications.get(found.applicationId);
  if (!found || !application) return { outcome: "token-spent" };
  if (!isLaunchOriginAllowed(origin, application, world.settings.previewOriginTemplate)) {
    return { outcome: "origin-refused", originMissing: origin === null || origin === "null" };
  }
  return startIdentity(world, found, application);
}

export function startIdentity(world: World, attempt: IdentityAttempt, application: Application): LaunchOutcome {
  if (!application.enabled || !application.idpIdentityEnabled) return { outcome: "unavailable" };
  const now = world.now();
  if (hasPassed(attempt.expiresAt, now)) return { outcome: "expired" };
  if (attempt.status !== "PENDING" || attempt.launchedAt !== null) return { outcome: "token-spent" };
  const [state, browserSecret, nonce, verifier] = [
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
  ];
  attempt.launchedAt = now;
  attempt.browserHash = sha256Hex(browserSecret);
  attempt.stateHash = sha256Hex(state);
  const location = issuerAuthorizationUrl(world.settings, { state, nonce, codeChallenge: sha256Base64url(verifier) });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}
