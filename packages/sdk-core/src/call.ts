import type { WithResponse } from "./apiCall.ts";
import { requireSignal, wholeNumber } from "./checks.ts";
import { type Clock, pause, stopwatchOf } from "./clock.ts";
import { DATE_HINT, timeOf } from "./dates.ts";
import { ConfigurationError, SocialConnectError, TimeoutError } from "./errors.ts";
import { type Hooks, notify, type RequestEvent } from "./hooks.ts";
import { refuseUnknownNames } from "./names.ts";
import type { Answer } from "./response.ts";
import { retryDelayMs } from "./retryDelay.ts";

/** What every call takes. */
export interface CallOptions {
  /** Aborts the call, also during a retry delay; the call then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** When to give up, retries and their delays included; 30 seconds from now by default. */
  readonly deadline?: Date | undefined;
  /** Timeout of one request of this call, instead of the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of this call, instead of the client's `retries`. */
  readonly retries?: number | undefined;
}

/** The names of `CallOptions`. */
export const CALL_OPTIONS = ["signal", "deadline", "timeoutMs", "retries"] as const satisfies (keyof CallOptions)[];

export interface CallSettings<Operation extends string> {
  readonly clock: Clock;
  readonly hooks: Hooks<Operation>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly random: () => number;
}

/** Whether a retry after an error is safe and may succeed. */
export type RepeatRule = (error: SocialConnectError) => boolean;

/** What differs between the requests of a call. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly request: RequestEvent;
}

interface RepeatedCall<Operation extends string, Result> {
  readonly operation: Operation;
  readonly mayRepeat: RepeatRule;
  readonly send: (limits: RequestLimits) => Promise<Answer<Result>>;
}

const LONGEST_CALL_MS = 30_000;
let calls = 0;

/** One call of the service: as many requests as the rules for its operation and its deadline allow. */
export async function callWithRetries<Operation extends string, Result>(
  settings: CallSettings<Operation>,
  { operation, mayRepeat, send }: RepeatedCall<Operation, Result>,
  options: CallOptions = {},
): Promise<WithResponse<Result>> {
  const { clock, hooks } = settings;
  refuseUnknownNames("options", options, CALL_OPTIONS, operation);
  requireSignal(options.signal, operation);
  const timeoutMs = wholeNumber("timeoutMs", options.timeoutMs ?? settings.timeoutMs, 1, operation);
  const retries = wholeNumber("retries", options.retries ?? settings.retries, 0, operation);
  const deadlineMs = deadlineOf(options, operation);
  const stopwatch = stopwatchOf(clock);
  const startedMs = stopwatch();
  const remainingMs = () =>
    deadlineMs === undefined
      ? startedMs + Math.max(LONGEST_CALL_MS, timeoutMs) - stopwatch()
      : deadlineMs - clock.now();
  calls += 1;
  const callId = calls;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = remainingMs();
    if (leftMs <= 0) throw new TimeoutError({ operation, message: "The deadline of the call has passed." });
    const event = { operation, callId, attempt };
    const end = begin(settings, event);
    try {
      const { data, httpStatus, correlationId, date } = await send({
        timeoutMs: Math.min(timeoutMs, leftMs),
        request: event,
      });
      end("OK", correlationId);
      const durationMs = Math.max(0, stopwatch() - startedMs);
      return { data, response: { httpStatus, correlationId, date, durationMs, attempts: attempt } };
    } catch (error) {
      if (!SocialConnectError.is(error)) {
        end(options.signal?.aborted ? "ABORTED" : "OTHER_ERROR");
        throw error;
      }
      end(error.code, error.correlationId);
      if (attempt > retries || !mayRepeat(error)) throw error;
      const delayMs = retryDelayMs(attempt, error, settings.random);
      // If a retry cannot start before the deadline, the current error is more useful than a timeout.
      if (delayMs >= remainingMs()) throw error;
      notify(hooks.onRetry, { ...event, delayMs, code: error.code });
      await pause(clock, delayMs, options.signal);
    }
  }
}

/** The deadline in milliseconds since 1970. Throws for an invalid Date, which would never be reached. */
export function deadlineOf({ deadline }: CallOptions, operation: string): number | undefined {
  if (deadline === undefined) return undefined;
  const deadlineMs = timeOf(deadline);
  if (Number.isNaN(deadlineMs)) throw new ConfigurationError(`deadline must be a valid Date. ${DATE_HINT}`, operation);
  return deadlineMs;
}

/** Calls the hooks at the start of a request; returns the function that calls them at its end. */
function begin<Operation extends string>({ clock, hooks }: CallSettings<Operation>, event: RequestEvent<Operation>) {
  const stopwatch = stopwatchOf(clock);
  const startedMs = stopwatch();
  const onEnd = notify<RequestEvent<Operation>, unknown>(hooks.onRequest, event);
  return (outcome: string, correlationId?: string): void => {
    const response = { ...event, durationMs: Math.max(0, stopwatch() - startedMs), outcome, correlationId };
    if (typeof onEnd === "function") notify((end) => onEnd(end), response);
    notify(hooks.onResponse, response);
  };
}
