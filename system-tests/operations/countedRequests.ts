const REQUEST_TIMEOUT_MS = 15_000;
const MOST_SHOWN = 10;
const ROOT_FIELD = /\{\s*(\w+)/;

/**
 * Counts requests to the service by operation, and failures: without a response, with an error's status, or with an
 * error in the response. It counts what is on the wire, so a retry of the SDK cannot hide a failure.
 */
export class CountedRequests {
  readonly answered = new Map<string, number>();
  readonly failures: string[] = [];

  /** For the SDK. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { query = "" } = JSON.parse(String(init?.body ?? "{}")) as { readonly query?: string };
    const operation = ROOT_FIELD.exec(query)?.[1] ?? "unknown";
    const response = await this.#send(operation, () => fetch(input, init));
    const text = await response.clone().text();
    if (response.status !== 200 || /"errors":\[/.test(text)) {
      this.failures.push(`${operation}: ${response.status} ${text.slice(0, 300)}`);
    }
    return response;
  };

  /** What a browser does. It follows no redirect, and every page is a failure. */
  async browse(operation: string, url: string | URL, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await this.#send(operation, () => fetch(url, { ...init, redirect: "manual", signal }));
    await response.arrayBuffer();
    if (!response.headers.has("location")) {
      this.failures.push(`${operation}: ${response.status} without a redirect`);
      throw new Error(`${operation} does not redirect`);
    }
    return response;
  }

  get total(): number {
    return [...this.answered.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Throws with the first failures, if there was one. */
  requireNoFailure(): void {
    if (this.failures.length === 0) return;
    throw new Error(`${this.failures.length} requests failed:\n${this.failures.slice(0, MOST_SHOWN).join("\n")}`);
  }

  async #send(operation: string, send: () => Promise<Response>): Promise<Response> {
    try {
      const response = await send();
      this.answered.set(operation, (this.answered.get(operation) ?? 0) + 1);
      return response;
    } catch (error) {
      this.failures.push(`${operation}: ${String((error as Error).cause ?? error)}`);
      throw error;
    }
  }
}
