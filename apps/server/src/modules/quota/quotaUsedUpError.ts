import type { QuotaWindow } from "@social-connect/domain";
import { ProviderError } from "../../providers/contract.ts";

/** The local call budget is used up until the end of the window; no call was made. */
export class QuotaUsedUpError extends ProviderError {
  readonly quotaWindow: QuotaWindow;

  constructor(window: QuotaWindow, now: Date) {
    const waitSeconds = Math.max(1, Math.ceil((window.endsAt.getTime() - now.getTime()) / 1_000));
    super("rate_limited", "the provider call budget is used up", { retryAfterSeconds: waitSeconds });
    this.name = "QuotaUsedUpError";
    this.quotaWindow = window;
  }
}
