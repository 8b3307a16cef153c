import { checkLaunch, isLaunchToken } from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";

interface BrowserAttempt {
  readonly applicationId: string;
  readonly launchTokenHash: string;
  readonly stateHash: string | null;
  readonly resultExpiresAt: Date;
}

export interface LaunchRequest {
  readonly launchToken: string;
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

export function redeemLaunch<Attempt extends BrowserAttempt>(
  world: World,
  attempts: Iterable<Attempt>,
  { launchToken, origin }: LaunchRequest,
  launch: (world: World, attempt: Attempt, application: Application) => LaunchOutcome,
): LaunchOutcome {
  const hash = isLaunchToken(launchToken) ? sha256Hex(launchToken) : null;
  const attempt = [...attempts].find((one) => one.launchTokenHash === hash);
  const application = attempt && world.state.applications.get(attempt.applicationId);
  const found = attempt && application ? { ...attempt, application } : null;
  const refusal = checkLaunch(found, { origin, previewTemplate: world.settings.previewOriginTemplate }, world.now());
  if (!attempt || !application) return { outcome: "token-spent" };
  return refusal ?? launch(world, attempt, application);
}

export function findByState<Attempt extends BrowserAttempt>(
  attempts: Iterable<Attempt>,
  state: string | null,
): Attempt | null {
  const hash = state === null ? null : sha256Hex(state);
  return (hash === null ? null : [...attempts].find((one) => one.stateHash === hash)) ?? null;
}
