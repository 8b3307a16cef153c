/** A request is about to be sent. A call sends one request, and more if it is retried. */
export interface RequestEvent<Operation extends string = string> {
  readonly operation: Operation;
  /** Identifies the call within the process; equal for all of its requests. */
  readonly callId: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** A request has ended, successfully or not. */
export interface ResponseEvent<Operation extends string = string> extends RequestEvent<Operation> {
  /** Milliseconds from the request to the end of its response. */
  readonly durationMs: number;
  /**
   * `OK`, the code of the error, `ABORTED` when the caller ended the call, or `OTHER_ERROR` when `fetch` threw an error that
   * is not of the network, such as the control flow of a framework.
   */
  readonly outcome: string;
  /** Identifies the request in a support case; on every response of the service. */
  readonly correlationId: string | undefined;
}

/** The request will be retried. */
export interface RetryEvent<Operation extends string = string> extends RequestEvent<Operation> {
  /** The delay before the retry, in milliseconds. */
  readonly delayMs: number;
  /** The code of the error that made the retry necessary. */
  readonly code: string;
}

/**
 * For logs, metrics and traces. Events contain operations, times and codes, but no arguments, responses or secrets. Errors
 * of a hook are ignored, so that observing a call does not affect it.
 */
export interface Hooks<Operation extends string = string> {
  /** May return a function that is called at the end of this request, for a span or a timer. */
  readonly onRequest?:
    | ((event: RequestEvent<Operation>) => void)
    | ((event: RequestEvent<Operation>) => (end: ResponseEvent<Operation>) => void)
    | undefined;
  readonly onResponse?: ((event: ResponseEvent<Operation>) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent<Operation>) => void) | undefined;
}

/** Calls a hook and returns its result; ignores its errors. */
export function notify<Event, Result>(hook: ((event: Event) => Result) | undefined, event: Event): Result | undefined {
  try {
    const returned = hook?.(event);
    // A rejected promise, of any realm or library, would otherwise end the process.
    if (typeof Object(returned).then === "function") Promise.resolve(returned).catch(() => undefined);
    return returned;
  } catch {
    return undefined;
  }
}
