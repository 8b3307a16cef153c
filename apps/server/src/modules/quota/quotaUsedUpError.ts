import { type QuotaWindow, type SharedBudget, unitFreeAt } from "@social-connect/domain";
import { ProviderError } from "../../providers/contract.ts";

/** The local call budget is used up until the end of the window, or the application's share of it; no call was made. */
export class QuotaUsedUpError extends ProviderError {
  readonly quotaWindow: QuotaWindow;
  /** Set if the share is used up: when the application may take a unit again. */
  readonly shareFreeAt?: Date;

  /** `shared` is what was used of a budget that applications share, which still has units. */
  constructor(window: QuotaWindow, now: Date, shared: SharedBudget | null = null) {
    const freeAt = shared === null ? window.endsAt : unitFreeAt(shared, window, now);
    const usedUp = shared === null ? "the provider call budget" : "the application's share of the provider call budget";
    super("rate_limited", `${usedUp} is used up`, {
      retryAfterSeconds: Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1_000)),
    });
    this.name = "QuotaUsedUpError";
    this.quotaWindow = window;
    if (shared !== null) this.shareFreeAt = freeAt;
  }
}
