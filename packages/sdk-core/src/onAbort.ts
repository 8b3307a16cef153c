interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingOn = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back when a signal is aborted; returns a function that unregisters the callback. Adds one listener per signal for
 * any number of calls, because Node warns of a leak at the eleventh listener.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = waitingOn.get(signal) ?? listenTo(signal);
  waiting.callbacks.add(callback);
  return () => {
    waiting.callbacks.delete(callback);
    if (waiting.callbacks.size > 0 || waitingOn.get(signal) !== waiting) return;
    waitingOn.delete(signal);
    signal.removeEventListener("abort", waiting.listener);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    waitingOn.delete(signal);
    for (const callback of [...callbacks]) callback();
  };
  const waiting = { callbacks, listener };
  waitingOn.set(signal, waiting);
  signal.addEventListener("abort", listener, { once: true });
  return waiting;
}
