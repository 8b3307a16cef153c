import type { QuotaWindow } from "@social-connect/domain";
import { addMs } from "@social-connect/domain";
import { ProviderError } from "../../providers/contract.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

/** The local call budget is used up until the end of the window; no call was made. */
export class QuotaUsedUpError extends ProviderError {
  readonly window: QuotaWindow;

  constructor(window: QuotaWindow, now: Date) {
    const waitSeconds = Math.max(1, Math.ceil((window.endsAt.getTime() - now.getTime()) / SECOND));
    super("rate_limited", "the provider call budget is used up", { retryAfterSeconds: waitSeconds });
    this.name = "QuotaUsedUpError";
    this.window = window;
  }

  /**
   * When to retry a rejected read: after the end of the window. Requested reads come first; background reads are spread
   * over the next window, up to an hour, to avoid a burst.
   */
  retryTime(background: boolean, random: number): Date {
    const { start, endsAt } = this.window;
    const spreadMs = background ? Math.min(endsAt.getTime() - start.getTime(), HOUR) : SECOND;
    return addMs(endsAt, SECOND + Math.floor(random * spreadMs));
  }
}
