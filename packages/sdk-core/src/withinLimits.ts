import { TimeoutError } from "./errors.ts";
import { onAbort } from "./onAbort.ts";

/** How long one request may take, and who else may end it. */
export interface Limits {
  readonly operation: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs something for as long as it may take. It ends at the limit also when what runs does not listen to its signal,
 * as a `fetch` of the caller's may not: nothing that is called here can keep a call from ending.
 */
export async function withinLimits<Result>(
  { operation, timeoutMs, signal }: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
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
    () => stop(new TimeoutError({ operation, message: `No answer within ${timeoutMs} ms.` })),
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
