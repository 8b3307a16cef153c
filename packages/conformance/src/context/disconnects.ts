import type { DisconnectResult } from "../_generated/consumerWire.ts";
import type { Provider } from "../target/target.ts";
import { DOWN } from "./accounts.ts";
import type { Connected } from "./connections.ts";
import { JobSteps } from "./jobs.ts";

/** The user's action where a consent may remain at the provider. */
export const REMOVE = "REMOVE_APP_AT_PROVIDER";

/** The service decides how soon an erasure starts: a case may poll this often to observe the state before it. */
export const MAX_POLLS = 8;

/** Disconnects, their receipts and the erasure. */
export class DisconnectSteps extends JobSteps {
  disconnect(connected: Connected): Promise<DisconnectResult> {
    return this.get("disconnectConnection", connected);
  }

  /**
   * While `during` runs the provider accepts no revocation of the account, so that no revoke settles and no erasure
   * completes.
   */
  whileRevokeFails<Result>(provider: Provider, account: string, during: () => Promise<Result>): Promise<Result> {
    return this.whileFault(provider, "revoke", DOWN, { account }, during);
  }

  /** Disconnects; `during` runs while the revoke cannot settle. Then only the receipts remain. */
  async whileRevoking(
    connected: Connected,
    provider: Provider,
    account: string,
    during: (disconnected: DisconnectResult) => Promise<void>,
  ) {
    const disconnected = await this.whileRevokeFails(provider, account, async () => {
      const result = await this.disconnect(connected);
      await during(result);
      return result;
    });
    await this.erased(connected, disconnected);
    return disconnected;
  }

  async receipts(connected: Connected, disconnected: DisconnectResult) {
    const revoke = await this.jobEnd(connected, disconnected.revokeJobId);
    const erase = await this.jobEnd(connected, disconnected.eraseJobId);
    return { revoke, erase };
  }

  async disconnectAndErase(connected: Connected): Promise<DisconnectResult> {
    const disconnected = await this.disconnect(connected);
    await this.erased(connected, disconnected);
    return disconnected;
  }

  /** The revoke receipt of a successful revoke, or the one with this error; then waits for the erasure. */
  async revokedAndErased(connected: Connected, disconnected: DisconnectResult, errorCode: string | null = null) {
    const { revoke } = await this.receipts(connected, disconnected);
    const ended =
      errorCode === null ? { status: "SUCCEEDED", creatorAction: null } : { status: "FAILED", creatorAction: REMOVE };
    this.shows(revoke, { ...ended, errorCode, nextRetryAt: null }, "the revoke receipt");
    await this.erased(connected, disconnected);
    return revoke;
  }

  async erased(connected: Connected, disconnected: DisconnectResult): Promise<void> {
    const { erase } = await this.receipts(connected, disconnected);
    this.shows(erase, { status: "SUCCEEDED", errorCode: null, creatorAction: null }, "the erase receipt");
    await this.connectionRefused(connected, "NOT_FOUND");
  }
}
