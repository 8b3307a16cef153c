/** A client's `query`, whose last parameter may be a callback; without it a promise is returned. */
export type Send = (...parameters: readonly unknown[]) => unknown;

/** Calls `query` or `connect` of a client, and `onEnd` before its caller learns how it ended: with an error, or null. */
export function sendAndObserve(send: Send, parameters: readonly unknown[], onEnd: (error: unknown) => void): unknown {
  const callback = parameters.at(-1);
  if (typeof callback === "function") {
    return send(...parameters.slice(0, -1), (error: unknown, ...results: readonly unknown[]) => {
      onEnd(error ?? null);
      callback(error, ...results);
    });
  }
  const result = send(...parameters);
  if (result instanceof Promise) result.then(() => onEnd(null), onEnd);
  else onEnd(null);
  return result;
}
