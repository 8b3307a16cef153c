import type { RequestEvent } from "./hooks.ts";

/**
 * The part of `fetch` that the client uses. The global fetch of every runtime satisfies it, and so do libraries whose
 * types differ from the global ones.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A request of the client. */
export interface FetchInit {
  /** Which request it is, for an instrumentation: as in the hooks' events. */
  readonly request: RequestEvent;
  /** Always POST. */
  readonly method: "POST";
  /** Contains the key: must not be logged. */
  readonly headers: Record<string, string>;
  /** JSON. Can contain a proof: must not be logged. */
  readonly body: string;
  /** A redirect would send the key to an address that was not configured. */
  readonly redirect: "manual";
  /** Aborted at the time limit, and when the caller aborts. */
  readonly signal: AbortSignal;
  /** Set if the runtime supports it: some frameworks would cache responses to a POST. */
  readonly cache?: "no-store";
}

/** The properties of a response that the client reads. A `Response` has them. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Header names are case-insensitive. */
  readonly headers: { get(name: string): string | null };
  /** A `ReadableStream`, if available; it is read up to a size limit. */
  readonly body?: unknown;
  /** Whether the body was read. */
  readonly bodyUsed?: boolean;
  /** `opaqueredirect` in runtimes that hide a redirect's status. */
  readonly type?: string;
  /** The whole body, if `body` is not a stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The global fetch, resolved at each request, so that a test or a tracer can replace it after the client was created. */
export const runtimeFetch: Fetch = (url, init) => {
  // Deno repeats a POST whose body is a string if a reused connection ends without a response. It sends a Blob once.
  const body = "Deno" in globalThis ? new Blob([init.body]) : init.body;
  return globalThis.fetch(url, { ...init, body });
};
