import { SocialConnectError } from "@social-connect/sdk-core";

/**
 * The client changed after it was planned, so the plan would do something else than was reviewed. Nothing was changed.
 */
export class StalePlanError extends SocialConnectError {
  static override readonly family: string = "StalePlanError";

  constructor(message = "The client has changed since this plan was made. Nothing was done: plan again.") {
    super("configuration", { code: "PLAN_STALE", message });
  }
}

/** Why a plan was not started. */
export type PlanRefusal = "PLAN_DESTRUCTIVE" | "PLAN_BLOCKED";

/** A plan that removes something was not allowed to, or has an obstacle. Nothing was done. */
export class PlanRefusedError extends SocialConnectError {
  static override readonly family: string = "PlanRefusedError";

  constructor(code: PlanRefusal, message: string) {
    super("configuration", { code, message });
  }
}
