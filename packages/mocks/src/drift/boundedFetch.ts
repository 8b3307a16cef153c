import { responseOf } from "../transports/fetch.ts";

/**
 * Why a check failed: invalid `options`, an `unreachable` address, an address that is `not-the-service`, an invalid `key` or
 * tenant, or an `unfinished` check that reached a limit or was aborted.
 */
export type DriftCheckProblem = "options" | "unreachable" | "not-the-service" | "key" | "unfinished";

/** A service could not be checked. */
export class DriftCheckError extends Error {
  /** Why the check failed. */
  readonly problem: DriftCheckProblem;

  constructor(problem: DriftCheckProblem, message: string) {
    super(message);
    this.name = "DriftCheckError";
    this.problem = problem;
  }
}

/** Far more than the cases send; stops a check of a service with endless redirects or pages. */
const MAX_REQUESTS = 2_000;
/** Larger than every response to a caller without data. */
const MAX_RESPONSE_BYTES = 2_000_000;
const REQUEST_TIMEOUT_MS = 10_000;

interface BoundedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** For all requests together, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined;
}

/** A `fetch` that follows no redirects and limits time, number of requests and response size. */
export class BoundedFetch {
  readonly #options: BoundedFetchOptions;
  readonly #outOfTime: AbortSignal;
  #requests = 0;
  #isRateLimited = false;

  constructor(options: BoundedFetchOptions) {
    this.#options = options;
    this.#outOfTime = AbortSignal.timeout(options.timeoutMs);
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether the service has returned 429, so the results of the cases are not valid. */
  get isRateLimited(): boolean {
    return this.#isRateLimited;
  }

  /** Why the check has stopped; null while it runs. */
  get stopped(): string | null {
    if (this.#options.signal?.aborted) return "the check was stopped";
    if (this.#outOfTime.aborted) return `it took longer than ${this.#options.timeoutMs / 1_000} s`;
    return this.#requests >= MAX_REQUESTS ? `${MAX_REQUESTS} requests were sent` : null;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { stopped } = this;
    if (stopped !== null) throw new Error(stopped);
    this.#requests += 1;
    const ends = [this.#outOfTime, AbortSignal.timeout(REQUEST_TIMEOUT_MS), this.#options.signal, init?.signal];
    const signal = AbortSignal.any(ends.filter((end) => end != null));
    const { fetch } = this.#options;
    const response = await fetch(input, { ...init, redirect: "manual", signal });
    if (response.status === 429) this.#isRateLimited = true;
    const { status, headers } = response;
    return responseOf({ status, headers: [...headers], body: await textOf(response) });
  };
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`a response of more than ${MAX_RESPONSE_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
