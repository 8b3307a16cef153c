import type { Duration } from "../util/duration.ts";
import { durationMs, momentMs } from "../util/duration.ts";
import { MockMisuseError } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { letRequestsGoOn } from "../world/world.ts";

/**
 * The mock's time. It has the form of the SDK's clock (`now` and `sleep`), so it can be passed to a client: what the client
 * waits for then passes here at once, and nothing sleeps in real time.
 */
export class MockClock {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.now = this.now.bind(this);
    this.sleep = this.sleep.bind(this);
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number {
    return this.#world.nowMs();
  }

  /** True while a request waits for the clock to go on: one that was delayed. */
  get isWaitedFor(): boolean {
    return this.#world.isWaitedFor;
  }

  /** The same moment as a Date of its own. */
  date(): Date {
    return this.#world.now();
  }

  /**
   * Lets time pass: deadlines, retention, jobs, re-scans and receipts all follow, each at its own moment. A request that was
   * made by the mock's `fetch` before this has begun before the time passes.
   */
  async advance(by: Duration): Promise<Date> {
    const untilMs = momentMs(this.#world.nowMs() + durationMs(by));
    await letRequestsGoOn();
    await this.#world.advanceTo(untilMs);
    return this.date();
  }

  /** Goes to a moment. Throws a MockMisuseError for one that has passed: time goes forward only. */
  async set(moment: Date | string | number): Promise<Date> {
    const ms = momentMs(moment);
    if (ms < this.#world.nowMs()) {
      const now = this.date().toISOString();
      throw new MockMisuseError(
        `It is ${now}, and the clock goes forward only. Take a snapshot to come back to a moment.`,
      );
    }
    return this.advance(ms - this.#world.nowMs());
  }

  /** What a client waits for passes at once. Rejects with `signal.reason` when the signal was aborted. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.advance(Math.max(0, ms));
    signal?.throwIfAborted();
  }
}
