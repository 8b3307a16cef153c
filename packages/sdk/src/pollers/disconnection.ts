import type { ConnectCreatorAction } from "../types/enumerations.ts";
import type { DisconnectResult, SettledJob, SyncJob } from "../types/jobs.ts";
import { NotFoundError } from "../wire/serviceErrors.ts";
import type { JobContext } from "./job.ts";
import { JobPoller, settledJob } from "./job.ts";
import type { WaitOptions } from "./poller.ts";
import type { SavedPoller } from "./saved.ts";

/**
 * What became of the consent at the provider:
 * - `revoked`: the provider has ended it;
 * - `user-must-remove-app`: it may still stand, and the person has to remove the application in the provider's settings;
 * - `unknown`: the receipt does not say, or is gone (receipts are readable for 7 days) and nothing was said before.
 */
export type RevokeOutcome = "revoked" | "user-must-remove-app" | "unknown";

/** A disconnect that the service has accepted: access is over, its two receipts follow. */
export class Disconnection {
  /** The service's answer. */
  readonly result: DisconnectResult;
  /** The receipt for giving the consent back at the provider. */
  readonly revoke: JobPoller;
  /** The receipt for deleting what was stored. */
  readonly erase: JobPoller;
  readonly #context: JobContext;

  /** Made by `disconnect`, and by `resume`. */
  constructor(context: JobContext, result: DisconnectResult) {
    this.result = result;
    this.revoke = new JobPoller(context, { id: result.revokeJobId }, "job", settledJob);
    this.erase = new JobPoller(context, { id: result.eraseJobId }, "job", settledJob);
    this.#context = context;
  }

  /** Waits for the revoke receipt and says what became of the consent. Rejects with TimeoutError at the deadline. */
  async settled(options: WaitOptions<SyncJob> = {}): Promise<RevokeOutcome> {
    try {
      return outcomeOf(await this.revoke.wait(options));
    } catch (error) {
      // The receipt was readable for 7 days; what the disconnect itself said is still true.
      if (NotFoundError.is(error))
        return asksForRemoval(this.result.creatorAction) ? "user-must-remove-app" : "unknown";
      throw error;
    }
  }

  /** Ids only, for `SocialConnect.resume`. */
  toJSON(): SavedPoller<"disconnect"> {
    return { kind: "disconnect", scope: this.#context.scope, result: this.result };
  }
}

/** What the person has to do counts before how the job ended: with it, the consent may stand in either case. */
function outcomeOf({ status, creatorAction }: SettledJob): RevokeOutcome {
  if (asksForRemoval(creatorAction)) return "user-must-remove-app";
  return status === "SUCCEEDED" && creatorAction === null ? "revoked" : "unknown";
}

function asksForRemoval(creatorAction: ConnectCreatorAction | null): boolean {
  return creatorAction === "REMOVE_APP_AT_PROVIDER";
}
