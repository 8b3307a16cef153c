/**
 * What the client needs of `fetch`, and no more: the global one of every runtime fits, and so do those of libraries,
 * whose own types differ from the global ones.
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
  /** A redirect would carry the key to an address that nobody configured. */
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
  /** By name, whatever its case. */
  readonly headers: { get(name: string): string | null };
  /** A `ReadableStream`, where there is one: it is read up to a bound. */
  readonly body?: unknown;
  /** `opaqueredirect` in runtimes that hide a redirect's status. */
  readonly type?: string;
  /** The whole body, where there is no stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Looked up at each request, so that what stands in for it in a test, or traces it, may come later than the client. */
export function globalFetch(): Fetch | undefined {
  return typeof globalThis.fetch === "function" ? (url, init) => globalThis.fetch(url, init) : undefined;
}
