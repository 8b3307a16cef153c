import type { QuotaWindow } from "@social-connect/domain";
import { addMs } from "@social-connect/domain";
import { ProviderError } from "../../providers/contract.ts";

const SECOND = 1_000;
const HOUR = 3_600_000;

/** The service did not ask the provider, because what it may call until the window's end is used up. */
export class QuotaUsedUpError extends ProviderError {
  readonly window: QuotaWindow;

  constructor(window: QuotaWindow, now: Date) {
    const waitSeconds = Math.max(1, Math.ceil((window.endsAt.getTime() - now.getTime()) / SECOND));
    super("rate_limited", "the budget of calls at the provider is used up", { retryAfterSeconds: waitSeconds });
    this.name = "QuotaUsedUpError";
    this.window = window;
  }

  /**
   * When a read that was refused may try again: after the window's end. What somebody waits for comes first; the service's
   * own re-reads spread over the next window, or an hour of it, so that they do not all come and be refused at once.
   */
  nextTry(background: boolean, random: number): Date {
    const { start, endsAt } = this.window;
    const spreadMs = background ? Math.min(endsAt.getTime() - start.getTime(), HOUR) : SECOND;
    return addMs(endsAt, SECOND + Math.floor(random * spreadMs));
  }
}
