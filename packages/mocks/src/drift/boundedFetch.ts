import { responseOf } from "../transports/fetch.ts";

/** Far more than the cases send; a service that sends them round in circles is left alone then. */
const MOST_REQUESTS = 2_000;
/** No answer to a caller without data is as large. */
const MOST_ANSWER_BYTES = 2_000_000;
const REQUEST_TIMEOUT_MS = 10_000;

export interface BoundedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** For all requests together, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends it from outside. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A `fetch` for requests to a service that others use: it follows no redirect, whoever asks for one, and takes no more than
 * a bounded time, number of requests and size of an answer.
 */
export class BoundedFetch {
  readonly #options: BoundedFetchOptions;
  readonly #outOfTime: AbortSignal;
  #requests = 0;
  #isRefused = false;

  constructor(options: BoundedFetchOptions) {
    this.#options = options;
    this.#outOfTime = AbortSignal.timeout(options.timeoutMs);
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether the service has answered 429: what it answers then says nothing of what it would have. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Why nothing more is sent; null while there may be more. */
  get stopped(): string | null {
    if (this.#options.signal?.aborted) return "the check was stopped";
    if (this.#outOfTime.aborted) return `its time, ${this.#options.timeoutMs / 1_000} s, was over`;
    return this.#requests >= MOST_REQUESTS ? `${MOST_REQUESTS} requests were sent` : null;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { stopped } = this;
    if (stopped !== null) throw new Error(stopped);
    this.#requests += 1;
    const ends = [this.#outOfTime, AbortSignal.timeout(REQUEST_TIMEOUT_MS), this.#options.signal, init?.signal];
    const signal = AbortSignal.any(ends.filter((end) => end != null));
    const { fetch } = this.#options;
    const response = await fetch(input, { ...init, redirect: "manual", signal });
    if (response.status === 429) this.#isRefused = true;
    const { status, headers } = response;
    return responseOf({ status, headers: [...headers], body: await textOf(response) });
  };
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error(`an answer of more than ${MOST_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
