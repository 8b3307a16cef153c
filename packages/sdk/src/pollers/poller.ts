import {
  type ApiCall,
  apiCall,
  CALL_OPTIONS,
  type CallOptions,
  deadlineOf,
  pause,
  type ResponseInfo,
  refuseUnknownNames,
  SocialConnectError,
  TimeoutError,
  type WithResponse,
} from "@social-connect/sdk-core";
import type { OperationName } from "../_generated/operations.ts";
import { mayRepeat } from "../wire/retryRules.ts";
import type { Settings } from "../wire/settings.ts";
import { nextPollDelayMs, type PollInterval, UNKNOWN_STATUS_INTERVAL } from "./pollInterval.ts";
import { SingleFlight } from "./singleFlight.ts";

/** How long to keep polling. */
export interface WatchOptions {
  /** Aborts the watch, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** When to reject with a TimeoutError; without it, the poller continues until the job or attempt ends or expires. */
  readonly deadline?: Date | undefined;
}

/** How long to wait, and a callback for progress. */
export interface WaitOptions<State> extends WatchOptions {
  /**
   * Called and awaited with the first state and with each changed state. An exception ends the wait: a state that could
   * not be stored must not be skipped.
   */
  readonly onProgress?: ((state: State) => void) | ((state: State) => Promise<void>) | undefined;
}

export interface PollerParts<State, Settled extends State> {
  readonly operation: OperationName;
  readonly read: (options: CallOptions) => Promise<WithResponse<State>>;
  /** The state with its narrower type once it is final. */
  readonly settled: (state: State) => Settled | undefined;
  /** Whether this version knows the state's status, which is not final. */
  readonly unfinished: (state: State) => boolean;
  readonly interval: PollInterval;
}

interface Watched {
  readonly status: string;
  readonly nextRetryAt?: string | null;
}

const WATCH_OPTIONS = ["signal", "deadline"] as const satisfies readonly (keyof WatchOptions)[];
const WAIT_OPTIONS = [...WATCH_OPTIONS, "onProgress"] as const satisfies readonly (keyof WaitOptions<unknown>)[];

/** How many consecutive polls may fail, each after its own retries, before a wait rejects. */
const MAX_FAILED_POLLS = 5;

/**
 * Polls a job or an attempt until it ends. It holds no timer: it sends requests only when it is called, one at a time
 * for any number of concurrent callers.
 */
export class Poller<State extends Watched, Settled extends State> implements AsyncIterable<State> {
  readonly #settings: Settings;
  readonly #parts: PollerParts<State, Settled>;
  readonly #polls: SingleFlight<WithResponse<State>>;

  constructor(settings: Settings, parts: PollerParts<State, Settled>) {
    this.#settings = settings;
    this.#parts = parts;
    this.#polls = new SingleFlight(parts.operation, settings.clock, parts.read);
  }

  /** Polls once. Concurrent callers share one request and its response. */
  poll(options: CallOptions = {}): ApiCall<State> {
    return apiCall(() => {
      // Also for a caller whose options are not used, because it shares the request of another.
      refuseUnknownNames("options", options, CALL_OPTIONS, this.#parts.operation);
      return this.#polls.run(options);
    });
  }

  /**
   * Polls until the end and returns the final state. Rejects with TimeoutError at the deadline, or with
   * `signal.reason`.
   */
  async wait(options: WaitOptions<State> = {}): Promise<Settled> {
    refuseUnknownNames("options", options, WAIT_OPTIONS, this.#parts.operation);
    const { onProgress, ...watching } = options;
    for await (const state of this.watch(watching)) {
      await onProgress?.(state);
      const settled = this.#parts.settled(state);
      if (settled !== undefined) return settled;
    }
    throw this.#timeout(undefined); // Never reached: a watch ends with a final state.
  }

  /** The same as `watch()`. */
  [Symbol.asyncIterator](): AsyncGenerator<State, void, undefined> {
    return this.watch();
  }

  /** Yields the first state, each changed state, and the final state. */
  async *watch(options: WatchOptions = {}): AsyncGenerator<State, void, undefined> {
    const { clock, random } = this.#settings;
    const { operation, interval } = this.#parts;
    refuseUnknownNames("options", options, WATCH_OPTIONS, operation);
    const deadlineMs = deadlineOf(options, operation) ?? Number.POSITIVE_INFINITY;
    let last: { readonly state: State; readonly text: string } | undefined;
    let unchanged = 0;
    let failures = 0;
    for (;;) {
      let state: State | undefined;
      let notBeforeMs: number | undefined;
      try {
        const { data, response } = await this.poll({
          signal: options.signal,
          deadline: options.deadline,
        }).withResponse();
        state = data;
        failures = 0;
        notBeforeMs = localTimeMs(data.nextRetryAt, response, clock);
      } catch (error) {
        if (!(error instanceof SocialConnectError)) throw error;
        failures += isWindowBusy(error) ? 0 : 1;
        // The first poll of a job that this poller starts uses the retry rules of the start.
        const isRetryable = isWindowBusy(error) || mayRepeat(error.operation ?? operation, error);
        if (!isRetryable || failures >= MAX_FAILED_POLLS) throw error;
        notBeforeMs = clock.now() + (error.retryAfterSeconds ?? 0) * 1_000;
      }
      const text = state === undefined ? last?.text : JSON.stringify(state);
      unchanged = text === last?.text ? unchanged + 1 : 0;
      if (state !== undefined && text !== undefined && text !== last?.text) {
        last = { state, text };
        yield state;
      }
      if (state !== undefined && this.#parts.settled(state) !== undefined) return;
      const currentInterval = state === undefined || this.#parts.unfinished(state) ? interval : UNKNOWN_STATUS_INTERVAL;
      const nowMs = clock.now();
      const leftMs = deadlineMs - nowMs;
      if (leftMs > 0) {
        const delayMs = nextPollDelayMs({ interval: currentInterval, unchanged, notBeforeMs, nowMs, random: random() });
        await pause(clock, Math.min(delayMs, leftMs), options.signal);
        if (delayMs < leftMs) continue;
      }
      throw this.#timeout(last?.state);
    }
  }

  /** An unknown status is text of the server, so the error omits it. */
  #timeout(state: State | undefined): TimeoutError {
    const lastStatus = state !== undefined && this.#parts.unfinished(state) ? state.status : undefined;
    const seen = state === undefined ? "none" : (lastStatus ?? "an unknown status");
    const message = `The deadline has passed; the last status seen was ${seen}.`;
    return new TimeoutError({ operation: this.#parts.operation, lastStatus, message });
  }
}

/** A start that was rejected with SYNC_WINDOW_BUSY had no effect: it is not a failure and can be retried. */
function isWindowBusy({ code, kind, operation = "" }: SocialConnectError): boolean {
  if (kind !== "service" || !STARTS.includes(operation)) return false;
  return code === "SYNC_WINDOW_BUSY" || code === "RATE_LIMITED";
}

const STARTS: readonly string[] = ["requestRefresh", "requestContentLookup"] satisfies OperationName[];

/** A time of the service by the caller's clock, which may be any amount behind or ahead, as the response's date shows. */
function localTimeMs(
  time: string | null | undefined,
  { date }: ResponseInfo,
  clock: Settings["clock"],
): number | undefined {
  const timeMs = Date.parse(time ?? "");
  if (Number.isNaN(timeMs)) return undefined;
  if (date === undefined) return timeMs;
  const behindMs = date.getTime() - clock.now();
  // The date is truncated to the second: within that second, the clocks agree.
  const isEqual = behindMs > -1_000 && behindMs <= 0;
  return isEqual ? timeMs : timeMs - (behindMs + 500);
}
