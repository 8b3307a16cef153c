import { SocialConnectError } from "@social-connect/sdk-core/errors";

/** The client changed after the plan was made. Nothing was changed. */
export class StalePlanError extends SocialConnectError {
  static override readonly family: string = "StalePlanError";

  constructor(message = "The client has changed since this plan was made. Nothing was changed: plan again.") {
    super("configuration", { code: "PLAN_STALE", message });
  }
}

/** Why a plan was not started. */
export type PlanRefusal = "PLAN_DESTRUCTIVE" | "PLAN_BLOCKED";

/** A plan has destructive steps that were not allowed, or an obstacle. Nothing was changed. */
export class PlanRefusedError extends SocialConnectError {
  static override readonly family: string = "PlanRefusedError";

  constructor(code: PlanRefusal, message: string) {
    super("configuration", { code, message });
  }
}
