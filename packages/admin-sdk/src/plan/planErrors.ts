import { SocialConnectError } from "@social-connect/sdk-core";

/** The client is no longer as the plan found it, so what the plan would do is not what was looked at. Nothing was done. */
export class StalePlanError extends SocialConnectError {
  static override readonly family: string = "StalePlanError";

  constructor(message = "The client has changed since this plan was made. Nothing was done: plan again.") {
    super("configuration", { code: "PLAN_STALE", message });
  }
}

/** Why a plan was not begun. */
export type PlanRefusal = "PLAN_DESTRUCTIVE" | "PLAN_BLOCKED";

/** A plan that takes something away was not allowed to, or has an obstacle. Nothing was done. */
export class PlanRefusedError extends SocialConnectError {
  static override readonly family: string = "PlanRefusedError";

  constructor(code: PlanRefusal, message: string) {
    super("configuration", { code, message });
  }
}
