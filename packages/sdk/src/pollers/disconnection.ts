import type { ConnectCreatorAction, DisconnectResult, SyncJob } from "../_generated/types.ts";
import type { SettledJob } from "../types/settled.ts";
import { NotFoundError } from "../wire/serviceErrors.ts";
import { type JobContext, JobPoller, settledJob } from "./job.ts";
import type { WaitOptions } from "./poller.ts";
import type { SavedPoller } from "./saved.ts";

/**
 * What happened to the consent at the provider:
 * - `revoked`: the provider has revoked it;
 * - `user-must-remove-app`: it may still exist, and the user has to remove the application in the provider's settings;
 * - `unknown`: the receipt has no outcome, or it expired after 7 days and the disconnect had none either.
 */
export type RevokeOutcome = "revoked" | "user-must-remove-app" | "unknown";

/** An accepted disconnect: access has ended, and two receipts follow. */
export class Disconnection {
  /** The service's response. */
  readonly result: DisconnectResult;
  /** The receipt for the revocation at the provider. */
  readonly revoke: JobPoller;
  /** The receipt for the deletion of the stored data. */
  readonly erase: JobPoller;
  readonly #context: JobContext;

  /** Created by `disconnect` and by `resume`. */
  constructor(context: JobContext, result: DisconnectResult) {
    this.result = result;
    this.revoke = new JobPoller(context, { id: result.revokeJobId }, "job", settledJob);
    this.erase = new JobPoller(context, { id: result.eraseJobId }, "job", settledJob);
    this.#context = context;
  }

  /** Waits for the revoke receipt and returns the outcome of the consent. Rejects with TimeoutError at the deadline. */
  async settled(options: WaitOptions<SyncJob> = {}): Promise<RevokeOutcome> {
    try {
      return outcomeOf(await this.revoke.wait(options));
    } catch (error) {
      // The receipt expired after 7 days, but the result of the disconnect is still valid.
      if (NotFoundError.is(error))
        return requiresRemoval(this.result.creatorAction) ? "user-must-remove-app" : "unknown";
      throw error;
    }
  }

  /** Ids only, for `SocialConnect.resume`. */
  toJSON(): SavedPoller<"disconnect"> {
    return { kind: "disconnect", scope: this.#context.scope, result: this.result };
  }
}

/** A required action of the user takes precedence over the job status: with it, the consent may still exist. */
function outcomeOf({ status, creatorAction }: SettledJob): RevokeOutcome {
  if (requiresRemoval(creatorAction)) return "user-must-remove-app";
  return status === "SUCCEEDED" && creatorAction === null ? "revoked" : "unknown";
}

function requiresRemoval(creatorAction: ConnectCreatorAction | null): boolean {
  return creatorAction === "REMOVE_APP_AT_PROVIDER";
}
