import { type Duration, durationMs, timeMs } from "../util/duration.ts";
import { MockMisuseError } from "../util/misuse.ts";
import { type World, yieldToRequests } from "../world/world.ts";

/**
 * The mock's clock. It implements the SDK's clock (`now` and `sleep`), so a client that uses it advances the mock's time
 * instead of sleeping in real time.
 */
export class MockClock {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.now = this.now.bind(this);
    this.sleep = this.sleep.bind(this);
  }

  /** `manual`: moves only when advanced. `running`: started at a time and runs on. `system`: follows the system clock. */
  get kind(): "manual" | "running" | "system" {
    return this.#world.settings.clock;
  }

  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number {
    return this.#world.nowMs();
  }

  /** True while a delayed request waits for the clock. */
  get isWaitedFor(): boolean {
    return this.#world.isWaitedFor;
  }

  /** The current time as a new Date. */
  date(): Date {
    return this.#world.now();
  }

  /**
   * Advances the clock: deadlines, retention, jobs, background scans and receipts take effect at their own times. A request
   * that the mock's `fetch` has already sent starts before the time changes.
   */
  async advance(by: Duration): Promise<Date> {
    const untilMs = timeMs(this.#world.nowMs() + durationMs(by));
    await yieldToRequests();
    await this.#world.advanceTo(untilMs);
    return this.date();
  }

  /** Advances the clock to a time. Throws a MockMisuseError for a time in the past. */
  async set(time: Date | string | number): Promise<Date> {
    const ms = timeMs(time);
    if (ms < this.#world.nowMs()) {
      const now = this.date().toISOString();
      throw new MockMisuseError(
        `It is ${now}, and the clock cannot go back. Restore a snapshot to return to an earlier time.`,
      );
    }
    return this.advance(ms - this.#world.nowMs());
  }

  /** Advances the clock instead of waiting. Rejects with `signal.reason` when the signal is aborted. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.advance(Math.max(0, ms));
    signal?.throwIfAborted();
  }
}
