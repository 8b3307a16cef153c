import { hasPassed, isLaunchOriginAllowed, isLaunchToken } from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";

/** An attempt that runs in a browser: Connect or the identity handoff. */
interface BrowserAttempt {
  readonly applicationId: string;
  readonly launchTokenHash: string;
  readonly stateHash: string | null;
  readonly resultExpiresAt: Date;
}

export interface LaunchRequest {
  readonly launchToken: string;
  /** The Origin header. */
  readonly origin: string | null;
}

export type LaunchOutcome =
  | {
      readonly outcome: "redirect";
      readonly location: string;
      readonly attemptId: string;
      /** Value of the cookie that binds the attempt to the browser. */
      readonly browserSecret: string;
    }
  | { readonly outcome: "origin-refused"; readonly originMissing: boolean }
  | { readonly outcome: "token-spent" | "expired" | "unavailable" };

/** Redeems a one-use launch token that the application's page posted. A post from another origin changes nothing. */
export function redeemLaunch<Attempt extends BrowserAttempt>(
  world: World,
  attempts: Iterable<Attempt>,
  { launchToken, origin }: LaunchRequest,
  launch: (world: World, attempt: Attempt, application: Application) => LaunchOutcome,
): LaunchOutcome {
  const hash = isLaunchToken(launchToken) ? sha256Hex(launchToken) : null;
  const attempt = findReadable(world, attempts, (one) => one.launchTokenHash === hash);
  const application = attempt && world.state.applications.get(attempt.applicationId);
  if (!attempt || !application) return { outcome: "token-spent" };
  if (!isLaunchOriginAllowed(origin, application, world.settings.previewOriginTemplate)) {
    return { outcome: "origin-refused", originMissing: origin === null || origin === "null" };
  }
  return launch(world, attempt, application);
}

/** The attempt that a callback's state belongs to. */
export function findByState<Attempt extends BrowserAttempt>(
  world: World,
  attempts: Iterable<Attempt>,
  state: string | null,
): Attempt | null {
  const hash = state === null ? null : sha256Hex(state);
  return hash === null ? null : findReadable(world, attempts, (one) => one.stateHash === hash);
}

/** An attempt whose result can no longer be read counts as deleted, swept or not. */
function findReadable<Attempt extends BrowserAttempt>(
  world: World,
  attempts: Iterable<Attempt>,
  matches: (attempt: Attempt) => boolean,
): Attempt | null {
  for (const attempt of attempts) {
    if (matches(attempt)) return hasPassed(attempt.resultExpiresAt, world.now()) ? null : attempt;
  }
  return null;
}
