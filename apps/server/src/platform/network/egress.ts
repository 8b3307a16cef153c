import { addressProblem, type OriginRules, parseAddress } from "@social-connect/domain";
import { currentTrail } from "../call/trail.ts";
import { extraAuthorityProblem } from "./authorityFile.ts";

/**
 * The only way out of this service: a `fetch` that calls only the origins that it was created for. It follows no
 * redirect (an allowed host could redirect to an internal one), has one deadline for the whole request including the
 * body, and stops reading at a size limit, counted after decompression.
 */
export interface EgressOptions {
  /** Origins, or URLs whose origin is used, as the domain's `parseAddress` accepts them. */
  readonly allowedOrigins: Iterable<string>;
  /** Plain http on loopback hosts; true by default, false for live mode. */
  readonly allowLoopbackHttp?: boolean;
  /** Deadline of the whole request, in milliseconds. Default 10 seconds. */
  readonly timeoutMs?: number;
  /** Maximum size of a decoded body. Default 4 MiB: fifty posts with long descriptions are far below. */
  readonly maxBytes?: number;
  /** What performs the request; replaced in tests. */
  readonly fetch?: typeof globalThis.fetch;
}

const EGRESS_DEFAULTS = { timeoutMs: 10_000, maxBytes: 4 * 1_024 * 1_024 } as const;

/** `aborted`: the caller's own signal. `local`: this machine could not send, or does not trust what it should. */
export const EGRESS_FAILURES = [
  "forbidden-destination",
  "redirect",
  "timeout",
  "aborted",
  "too-large",
  "network",
  "local",
] as const;
export type EgressFailure = (typeof EGRESS_FAILURES)[number];

/** Failures of this service, its settings or its machine: the other side has nothing to do with them. */
export const OWN_EGRESS_FAILURES: ReadonlySet<EgressFailure> = new Set(["forbidden-destination", "local"]);

/** Contains at most the origin: paths and queries can contain ids and tokens. */
export class EgressError extends Error {
  readonly failure: EgressFailure;
  /** No connection was made, so that the other side has not received the request. */
  readonly isUnsent: boolean;

  constructor(failure: EgressFailure, message: string, isUnsent: boolean = OWN_EGRESS_FAILURES.has(failure)) {
    super(message);
    this.name = "EgressError";
    this.failure = failure;
    this.isUnsent = isUnsent;
  }
}

/** Throws a TypeError when an allowed origin is not callable. */
export function createEgress(options: EgressOptions): typeof globalThis.fetch {
  const rules = { allowLoopbackHttp: options.allowLoopbackHttp ?? true };
  const allowed = new Set([...options.allowedOrigins].map((address) => allowedOrigin(address, rules)));
  const timeoutMs = options.timeoutMs ?? EGRESS_DEFAULTS.timeoutMs;
  const maxBytes = options.maxBytes ?? EGRESS_DEFAULTS.maxBytes;
  const send = options.fetch ?? globalThis.fetch;

  return async (input, init) => {
    const origin = permittedOrigin(input, allowed);
    const { presence } = currentTrail();
    presence?.requirePresence();
    // A code is used once: what the other side answers must be stored, also for a caller that leaves.
    presence?.beginEffect();
    const deadline = AbortSignal.timeout(timeoutMs);
    const callers = [input instanceof Request ? input.signal : null, init?.signal].filter((signal) => signal != null);
    const signal = AbortSignal.any([deadline, ...callers]);
    try {
      const response = await send(input, { ...init, redirect: "manual", signal });
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
        await response.body?.cancel();
        throw new EgressError("redirect", `${origin} responded with a redirect, which is not followed`);
      }
      return await buffered(response, maxBytes, origin, signal);
    } catch (error) {
      if (error instanceof EgressError) throw error;
      if (deadline.aborted)
        throw new EgressError("timeout", `${origin} sent no complete response within ${timeoutMs} ms`);
      if (signal.aborted) throw new EgressError("aborted", `the request to ${origin} was aborted by its caller`);
      throw networkError(error, origin);
    }
  };
}

/** Reads a whole body, or rejects with an EgressError once it exceeds `maxBytes`. */
export async function readBounded(
  response: Response,
  maxBytes: number,
  origin: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new EgressError("too-large", `${origin} responded with more than ${maxBytes} bytes`);
  if (response.body === null) return new Uint8Array();
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body.cancel();
    throw tooLarge();
  }
  const reader = response.body.getReader();
  // A body must end at the deadline even where the stream does not observe the signal.
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
  // The body is already decoded; these two describe the raw bytes.
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
  if (url === null) throw new EgressError("forbidden-destination", "the destination is not an absolute URL");
  if (!allowed.has(url.origin))
    throw new EgressError("forbidden-destination", `${url.origin} is not an allowed origin`);
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("forbidden-destination", `a URL at ${url.origin} contains credentials`);
  }
  return url.origin;
}

const UNTRUSTED = "this machine does not trust the certificate's authority; name it in NODE_EXTRA_CA_CERTS";
const NO_NETWORK = "this machine has no route there; check its network and firewall";
const EXHAUSTED = "this machine has used up its sockets or files; raise its limits";
/** What only the operator of this machine can resolve. */
const LOCAL_REASONS: Readonly<Record<string, string>> = {
  EAI_AGAIN: "this machine's name resolution does not respond; check its DNS servers",
  ENETUNREACH: NO_NETWORK,
  ENETDOWN: NO_NETWORK,
  EADDRNOTAVAIL: NO_NETWORK,
  EPERM: NO_NETWORK,
  EACCES: NO_NETWORK,
  EMFILE: EXHAUSTED,
  ENFILE: EXHAUSTED,
  ENOBUFS: EXHAUSTED,
  ENOMEM: EXHAUSTED,
  CERT_NOT_YET_VALID: "the certificate is not valid yet; check this machine's clock",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};
/** Codes of a connection that was never made. */
const UNCONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);
/** Node's proxy (NODE_USE_ENV_PROXY) refused the tunnel; undici has no error code for it. */
const PROXY_REFUSAL = /Proxy response \((\d{3})\)/;

function networkError(error: unknown, origin: string): EgressError {
  const code = networkCode(error);
  const status = PROXY_REFUSAL.exec(messagesOf(error))?.[1];
  const reason =
    status !== undefined
      ? `the proxy of this machine refuses the connection with ${status}; check HTTPS_PROXY and NO_PROXY`
      : localReason(code);
  if (reason !== undefined) return new EgressError("local", `the request to ${origin} failed: ${reason} (${code})`);
  return new EgressError("network", `the request to ${origin} failed: ${code}`, UNCONNECTED.has(code));
}

function localReason(code: string): string | undefined {
  const reason = LOCAL_REASONS[code];
  const problem = reason === UNTRUSTED ? extraAuthorityProblem() : null;
  return problem === null ? reason : `this machine does not trust the certificate's authority: ${problem}`;
}

function messagesOf(error: unknown): string {
  const messages: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  return messages.join(" ");
}

/** The system's error code (`ECONNREFUSED`); the message is dropped because it can contain the URL. */
function networkCode(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return "no connection, or an interrupted one";
}
