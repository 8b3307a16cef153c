import { TimeoutError } from "./errors.ts";
import { onAbort } from "./onAbort.ts";

/** The timeout of a request, and the caller's signal. */
export interface Limits {
  readonly operation: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a function with a timeout; `missing` names what did not happen until then. The call ends at the timeout even if the function ignores its signal, as a caller's own
 * `fetch` may.
 */
export async function withinLimits<Result>(
  { operation, timeoutMs, signal }: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
  missing = () => "No response",
): Promise<Result> {
  signal?.throwIfAborted();
  const stopper = new AbortController();
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      reject(reason);
      stopper.abort();
    };
  });
  const timer = setTimeout(
    () => stop(new TimeoutError({ operation, message: `${missing()} within ${timeoutMs} ms.` })),
    timeoutMs,
  );
  const forget = signal && onAbort(signal, () => stop(signal.reason));
  try {
    return await Promise.race([run(stopper.signal), stopped]);
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}
