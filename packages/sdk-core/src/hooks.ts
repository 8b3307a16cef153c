/** One request is about to be sent. A call sends one, and more where its operation may be repeated. */
export interface RequestEvent<Operation extends string = string> {
  readonly operation: Operation;
  /** The same for all requests of one call, and another for each call of the process. */
  readonly callId: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** A request has ended, successfully or not. */
export interface ResponseEvent<Operation extends string = string> extends RequestEvent<Operation> {
  /** Milliseconds from the request to the end of its answer. */
  readonly durationMs: number;
  /** `OK`, the code of the error, or `ABORTED` when the caller ended the call. */
  readonly outcome: string;
  /** The UUID to quote when asking for support; on errors of the service. */
  readonly correlationId: string | undefined;
}

/** The request is going to be repeated. */
export interface RetryEvent<Operation extends string = string> extends RequestEvent<Operation> {
  /** How long the client waits before it does, in milliseconds. */
  readonly delayMs: number;
  /** The code of the error that made the retry necessary. */
  readonly code: string;
}

/**
 * For logs, metrics and traces. Events name operations, times and codes, and never hold arguments, answers or secrets.
 * What a hook throws or rejects with is dropped: watching a call must not change how it ends.
 */
export interface Hooks<Operation extends string = string> {
  /** May return a function, which is called with the end of this very request: for a span or a timer. */
  readonly onRequest?:
    | ((event: RequestEvent<Operation>) => void)
    | ((event: RequestEvent<Operation>) => (end: ResponseEvent<Operation>) => void);
  readonly onResponse?: (event: ResponseEvent<Operation>) => void;
  readonly onRetry?: (event: RetryEvent<Operation>) => void;
}

/** Calls a hook and gives what it returned; nothing that it throws gets out. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): unknown {
  if (hook === undefined) return undefined;
  try {
    const returned = hook(event);
    // An asynchronous hook that fails would otherwise end the process as an unhandled rejection.
    if (returned instanceof Promise) returned.catch(() => undefined);
    return returned;
  } catch {
    return undefined;
  }
}
