import { type CallOptions, deadlineOf, requireSignal, TimeoutError, withinLimits } from "@social-connect/sdk-core";
import type { Settings } from "../wire/settings.ts";

/** The longest delay of setTimeout, for callers without a deadline. */
const NO_LIMIT_MS = 2 ** 31 - 1;

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly abort: AbortController;
  /** Deadline of the caller that started it, in milliseconds since 1970. */
  readonly deadlineMs: number;
  waiting: number;
}

/**
 * Sends one request at a time: concurrent callers get the same response. Each caller can abort by its own signal or
 * deadline; the request is aborted when no caller waits for it.
 */
export class SingleFlight<Result> {
  readonly #operation: string;
  readonly #clock: Settings["clock"];
  readonly #send: (options: CallOptions) => Promise<Result>;
  #flight: Flight<Result> | undefined;

  constructor(operation: string, clock: Settings["clock"], send: (options: CallOptions) => Promise<Result>) {
    this.#operation = operation;
    this.#clock = clock;
    this.#send = send;
  }

  async run(options: CallOptions): Promise<Result> {
    const { signal } = options;
    requireSignal(signal, this.#operation);
    signal?.throwIfAborted();
    const deadlineMs = deadlineOf(options, this.#operation) ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const current = this.#flight;
      const flight = current ?? this.#start(options, deadlineMs);
      // The caller that started the request passed its own deadline to it.
      const leftMs = current === undefined ? NO_LIMIT_MS : deadlineMs - this.#clock.now();
      const timeoutMs = Math.min(Math.max(leftMs, 0), NO_LIMIT_MS);
      flight.waiting += 1;
      try {
        if (signal === undefined && timeoutMs === NO_LIMIT_MS) return await flight.result;
        return await withinLimits({ operation: this.#operation, timeoutMs, signal }, () => flight.result);
      } catch (error) {
        // The request ended at another caller's deadline: a caller with more time sends a new request.
        const isOtherDeadline = TimeoutError.is(error) && flight.deadlineMs <= this.#clock.now();
        if (current === undefined || !isOtherDeadline || deadlineMs <= this.#clock.now()) throw error;
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0) this.#end(flight);
      }
    }
  }

  #start(options: CallOptions, deadlineMs: number): Flight<Result> {
    const abort = new AbortController();
    const result = this.#send({ ...options, signal: abort.signal });
    const flight = { result, abort, deadlineMs, waiting: 0 };
    this.#flight = flight;
    const clear = () => this.#clear(flight);
    result.then(clear, clear);
    return flight;
  }

  /** Aborts a request that no caller waits for; does nothing once it has ended. */
  #end(flight: Flight<Result>): void {
    if (this.#flight !== flight) return;
    this.#clear(flight);
    flight.abort.abort();
  }

  #clear(flight: Flight<Result>): void {
    if (this.#flight === flight) this.#flight = undefined;
  }
}
