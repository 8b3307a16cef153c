const REQUEST_TIMEOUT_MS = 15_000;
const MOST_SHOWN = 10;
const ROOT_FIELD = /\{\s*(\w+)/;

export type CountedRequests = ReturnType<typeof countRequests>;

/**
 * Counts requests to the service by operation, and failures: without a response, with an error's status, or with an
 * error in the response. It counts what is on the wire, so a retry of the SDK cannot hide a failure.
 */
export function countRequests() {
  const answered = new Map<string, number>();
  const failures: string[] = [];
  /** For the SDK, and for a browser, which follows no redirect, and for which every page is a failure. */
  const counting: typeof fetch = async (input, init = {}) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const isBrowser = pathname !== "/graphql";
    const { query = "" } = isBrowser ? {} : (JSON.parse(String(init.body)) as { readonly query?: string });
    // `connect.redeem` and `connect.callback`, as the metrics name them.
    const operation = isBrowser
      ? pathname.split("/").slice(2, 4).join(".")
      : (ROOT_FIELD.exec(query)?.[1] ?? "unknown");
    const signal = isBrowser ? AbortSignal.timeout(REQUEST_TIMEOUT_MS) : init.signal;
    const response = await fetch(input, { ...init, ...(signal && { signal }) }).catch((error: Error) => {
      failures.push(`${operation}: ${String(error.cause ?? error)}`);
      throw error;
    });
    answered.set(operation, (answered.get(operation) ?? 0) + 1);
    const text = await response.clone().text();
    if (isBrowser && !response.headers.has("location"))
      failures.push(`${operation}: ${response.status} without a redirect`);
    if (!isBrowser && (response.status !== 200 || /"errors":\[/.test(text)))
      failures.push(`${operation}: ${response.status} ${text.slice(0, 300)}`);
    return response;
  };
  return {
    answered,
    failures,
    fetch: counting,
    total: () => [...answered.values()].reduce((sum, count) => sum + count, 0),
    /** Throws with the first failures, if there was one. */
    requireNoFailure: () => {
      if (failures.length === 0) return;
      throw new Error(`${failures.length} requests failed:\n${failures.slice(0, MOST_SHOWN).join("\n")}`);
    },
  };
}
