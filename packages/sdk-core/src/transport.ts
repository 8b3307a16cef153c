/**
 * The part of `fetch` that the client uses. The global fetch of every runtime satisfies it, and so do libraries whose
 * types differ from the global ones.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** The one kind of request that the client sends. */
export interface FetchInit {
  /** Always POST. */
  readonly method: "POST";
  /** Holds the key: not to be logged. */
  readonly headers: Record<string, string>;
  /** JSON. Can hold a proof: not to be logged. */
  readonly body: string;
  /** A redirect would send the key to an address that was not configured. */
  readonly redirect: "manual";
  /** Aborted at the time limit, and when the caller aborts. */
  readonly signal: AbortSignal;
  /** Set where the runtime knows it: some frameworks would keep answers to a POST. */
  readonly cache?: "no-store";
}

/** What the client reads of an answer; a `Response` is one. */
export interface FetchAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** Header names are case-insensitive. */
  readonly headers: { get(name: string): string | null };
  /** A `ReadableStream`, where there is one: it is read up to a bound. */
  readonly body?: unknown;
  /** `opaqueredirect` in runtimes that hide a redirect's status. */
  readonly type?: string;
  /** The whole body, where there is no stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Resolved at each request, so that a test or a tracer can replace it after the client was created. */
export function globalFetch(): Fetch | undefined {
  return typeof globalThis.fetch === "function" ? (url, init) => globalThis.fetch(url, init) : undefined;
}
