import type { OriginRules } from "@social-connect/domain";
import { addressProblem, parseAddress } from "@social-connect/domain";

/**
 * The only way out of this service: a `fetch` that refuses to go anywhere but the origins it was made for. It follows
 * no redirect (a redirect is how an allowed host would point us at an internal one), gives the whole exchange, body
 * included, one deadline, and stops reading at a size bound, counted after decompression.
 */
export interface EgressOptions {
  /** Origins, or addresses whose origin is meant, as `parseAddress` of the domain accepts them. */
  readonly allowedOrigins: Iterable<string>;
  /** Plain http on loopback hosts; true by default, false for what live mode calls. */
  readonly allowLoopbackHttp?: boolean;
  /** Deadline of the whole exchange, in milliseconds. Default 10 seconds. */
  readonly timeoutMs?: number;
  /** Most bytes of a decoded body. Default 4 MiB: fifty posts with long descriptions stay far below. */
  readonly maxBytes?: number;
  /** What performs the request; replaced in tests. */
  readonly fetch?: typeof globalThis.fetch;
}

const EGRESS_DEFAULTS = { timeoutMs: 10_000, maxBytes: 4 * 1_024 * 1_024 } as const;

/** `aborted`: the caller's own signal ended the exchange. */
export type EgressFailure = "forbidden-destination" | "redirect" | "timeout" | "aborted" | "too-large" | "network";

/** Names the origin at most: paths and queries can hold ids and tokens. */
export class EgressError extends Error {
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string) {
    super(message);
    this.name = "EgressError";
    this.failure = failure;
  }
}

/** Throws a TypeError when an allowed origin may not be called. */
export function createEgress(options: EgressOptions): typeof globalThis.fetch {
  const rules = { allowLoopbackHttp: options.allowLoopbackHttp ?? true };
  const allowed = new Set([...options.allowedOrigins].map((address) => allowedOrigin(address, rules)));
  const timeoutMs = options.timeoutMs ?? EGRESS_DEFAULTS.timeoutMs;
  const maxBytes = options.maxBytes ?? EGRESS_DEFAULTS.maxBytes;
  const send = options.fetch ?? globalThis.fetch;

  return async (input, init) => {
    const origin = permittedOrigin(input, allowed);
    const deadline = AbortSignal.timeout(timeoutMs);
    const callers = [input instanceof Request ? input.signal : null, init?.signal].filter((signal) => signal != null);
    const signal = AbortSignal.any([deadline, ...callers]);
    try {
      const response = await send(input, { ...init, redirect: "manual", signal });
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
        await response.body?.cancel();
        throw new EgressError("redirect", `${origin} answered with a redirect, which is not followed`);
      }
      return await buffered(response, maxBytes, origin, signal);
    } catch (error) {
      if (error instanceof EgressError) throw error;
      if (deadline.aborted) throw new EgressError("timeout", `${origin} gave no whole answer within ${timeoutMs} ms`);
      if (signal.aborted) throw new EgressError("aborted", `the exchange with ${origin} was ended by its caller`);
      throw new EgressError("network", `the exchange with ${origin} failed: ${networkCode(error)}`);
    }
  };
}

/** Reads a body whole, or rejects with an EgressError once it is larger than `maxBytes`. */
export async function readBounded(
  response: Response,
  maxBytes: number,
  origin: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new EgressError("too-large", `${origin} answered with more than ${maxBytes} bytes`);
  if (response.body === null) return new Uint8Array();
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body.cancel();
    throw tooLarge();
  }
  const reader = response.body.getReader();
  // A body that dribbles must end with the deadline even where the stream itself does not know the signal.
  const stop = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        throw tooLarge();
      }
      chunks.push(value);
    }
    return new Uint8Array(Buffer.concat(chunks));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function buffered(response: Response, maxBytes: number, origin: string, signal: AbortSignal): Promise<Response> {
  const bytes = await readBounded(response, maxBytes, origin, signal);
  const headers = new Headers(response.headers);
  // The body is decoded by now; these two describe what came over the wire.
  headers.delete("content-encoding");
  headers.delete("content-length");
  const mayHaveBody = ![204, 205].includes(response.status);
  return new Response(mayHaveBody ? bytes : null, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}

function allowedOrigin(address: string, rules: OriginRules): string {
  const url = parseAddress(address, rules);
  if (url === null) throw new TypeError(`an allowed origin cannot be called: ${addressProblem(address, rules)}`);
  return url.origin;
}

function permittedOrigin(input: string | URL | Request, allowed: ReadonlySet<string>): string {
  const url = URL.parse(input instanceof Request ? input.url : String(input));
  if (url === null) throw new EgressError("forbidden-destination", "the destination is not an absolute address");
  if (!allowed.has(url.origin))
    throw new EgressError("forbidden-destination", `${url.origin} is not an allowed origin`);
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("forbidden-destination", `an address at ${url.origin} carried credentials`);
  }
  return url.origin;
}

/** The system's error code (`ECONNREFUSED`); the message is left out, it can quote the address. */
function networkCode(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return "no connection, or a broken one";
}
