import type { CallOptions } from "@social-connect/sdk-core";
import { deadlineOf, TimeoutError, withinLimits } from "@social-connect/sdk-core";
import type { Settings } from "../wire/settings.ts";

/** setTimeout takes no more; a caller without a deadline of its own waits for as long as the look takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;

interface UnderWay<Result> {
  readonly result: Promise<Result>;
  readonly stopper: AbortController;
  /** Of who began it, in milliseconds since 1970. */
  readonly deadlineMs: number;
  waiting: number;
}

/**
 * Lets one look be under way at a time: who asks meanwhile gets the same answer. Each caller can give up alone, by its
 * own signal or deadline; the request is ended when nobody waits for it any more.
 */
export class SingleFlight<Result> {
  readonly #operation: string;
  readonly #clock: Settings["clock"];
  readonly #look: (options: CallOptions) => Promise<Result>;
  #underWay: UnderWay<Result> | undefined;

  constructor(operation: string, clock: Settings["clock"], look: (options: CallOptions) => Promise<Result>) {
    this.#operation = operation;
    this.#clock = clock;
    this.#look = look;
  }

  async run(options: CallOptions): Promise<Result> {
    const { signal } = options;
    signal?.throwIfAborted();
    const deadlineMs = deadlineOf(options, this.#operation) ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const joined = this.#underWay;
      const look = joined ?? this.#begin(options.deadline, deadlineMs);
      // Who began the look has given it its deadline already.
      const leftMs = joined === undefined ? NO_LIMIT_MS : deadlineMs - this.#clock.now();
      const timeoutMs = Math.min(Math.max(leftMs, 0), NO_LIMIT_MS);
      look.waiting += 1;
      try {
        if (signal === undefined && timeoutMs === NO_LIMIT_MS) return await look.result;
        return await withinLimits({ operation: this.#operation, timeoutMs, signal }, () => look.result);
      } catch (error) {
        // It ran out of another's time: who has more of it looks again.
        const isAnothers = TimeoutError.is(error) && look.deadlineMs <= this.#clock.now();
        if (joined === undefined || !isAnothers || deadlineMs <= this.#clock.now()) throw error;
      } finally {
        look.waiting -= 1;
        if (look.waiting === 0) this.#end(look);
      }
    }
  }

  #begin(deadline: Date | undefined, deadlineMs: number): UnderWay<Result> {
    const stopper = new AbortController();
    const result = this.#look({ signal: stopper.signal, deadline });
    const look = { result, stopper, deadlineMs, waiting: 0 };
    this.#underWay = look;
    const forget = () => this.#forget(look);
    result.then(forget, forget);
    return look;
  }

  /** Ends a look that nobody waits for any more; of one that is over, nothing is left to end. */
  #end(look: UnderWay<Result>): void {
    if (this.#underWay !== look) return;
    this.#forget(look);
    look.stopper.abort();
  }

  #forget(look: UnderWay<Result>): void {
    if (this.#underWay === look) this.#underWay = undefined;
  }
}
