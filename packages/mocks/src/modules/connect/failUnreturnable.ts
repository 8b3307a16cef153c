import {
  attemptCreatorAction,
  eventInTime,
  hasPassed,
  mayReturnFromIdentityTo,
  mayReturnTo,
  moveAttempt,
  moveIdentityAttempt,
  PROVIDER_TRAITS,
} from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { move } from "./attempts.ts";

/**
 * Ends the unfinished attempts of an application whose return URL it no longer allows, at Connect and at the identity
 * handoff. One past its deadline is left to expire.
 */
export function failUnreturnable(world: World, application: Application): void {
  const template = world.settings.previewOriginTemplate;
  const now = world.now();
  for (const attempt of world.state.connectAttempts.values()) {
    if (attempt.applicationId !== application.id || moveAttempt(attempt.status, "POLICY_CHANGED") === null) continue;
    if (eventInTime(attempt, "POLICY_CHANGED", now) !== "POLICY_CHANGED") continue;
    if (mayReturnTo(attempt.returnUrl, application, template)) continue;
    const isLeftBehind = attempt.status === "EXCHANGING" && !PROVIDER_TRAITS[attempt.provider].canRevoke;
    attempt.creatorAction = attemptCreatorAction(isLeftBehind);
    move(attempt, "POLICY_CHANGED");
  }
  for (const attempt of world.state.identityAttempts.values()) {
    if (hasPassed(attempt.expiresAt, now)) continue;
    if (attempt.applicationId !== application.id || mayReturnFromIdentityTo(attempt.returnUrl, application)) continue;
    attempt.status = moveIdentityAttempt(attempt.status, "HANDOFF_FAILED") ?? attempt.status;
  }
}
