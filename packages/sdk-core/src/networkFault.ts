import { chainOf, type Link } from "./errorChain.ts";
import { type ProxyRefusal, proxyRefusalOf } from "./proxyRefusal.ts";
import { type Carried, cleanName } from "./serverText.ts";

/** A fault of the network as `fetch` reports it, without values that could be secret. */
export interface NetworkFault {
  /** The system's error code. */
  readonly systemCode: string | undefined;
  /** Whether it can only happen before the first byte of a request is written. */
  readonly isBeforeSending: boolean;
  /** A proxy refused to open a connection to the service. */
  readonly proxyRefusal: ProxyRefusal | undefined;
  /** Another host than the service's failed, such as a proxy's. */
  readonly isElsewhere: boolean;
}

/**
 * The fault in an error that `fetch` threw; undefined for any other error, such as a framework's control flow, an abort, or
 * an error of a caller's own `fetch`. Messages may contain secrets: they are compared, never copied.
 */
export function networkFaultOf(error: unknown, endpoint: string, carried: () => Carried): NetworkFault | undefined {
  const chain = chainOf(error);
  if (!chain.some(isOfNetwork)) return undefined;
  const coded = chain.find(({ code }) => typeof code === "string" && SYSTEM_CODE.test(code));
  const proxyRefusal = proxyRefusalOf(chain);
  return {
    systemCode: cleanName(coded?.code, SYSTEM_CODE, carried()),
    isBeforeSending: proxyRefusal !== undefined || chain.some(isBeforeSending),
    proxyRefusal,
    isElsewhere: coded !== undefined && isElsewhere(coded, new URL(endpoint)),
  };
}

/** The fault in an error that a response's body threw: the Fetch standard has no other errors of a body than TypeErrors. */
export function bodyFaultOf(error: unknown, endpoint: string, carried: () => Carried): NetworkFault | undefined {
  const fault = networkFaultOf(error, endpoint, carried);
  if (fault !== undefined || chainOf(error)[0]?.name !== "TypeError") return fault;
  return { systemCode: undefined, isBeforeSending: false, proxyRefusal: undefined, isElsewhere: false };
}

/** The server's certificate is not trusted: nothing was sent, and a retry would fail in the same way. */
export function isUntrusted(systemCode: string | undefined): boolean {
  return systemCode !== undefined && UNTRUSTED.test(systemCode);
}

/** The formats of Node, undici and Bun. */
const SYSTEM_CODE = /^([A-Z][A-Z0-9_]{1,38}|[A-Z][A-Za-z]{1,30})$/;
const UNTRUSTED =
  /^(CERT_[A-Z_]+|UNABLE_TO_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/;
const NEVER_SENT = /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/;
const CONNECTING = /^(connect|getaddrinfo|query[A-Z]\w*)$/;

/** Codes of sockets, TLS and HTTP in Node, undici and axios. Other libraries have codes for errors of any kind. */
const OF_NETWORK: readonly RegExp[] = [
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|TIMEOUT|SOCKETTIMEDOUT|(NET|HOST)(UNREACH|DOWN)|NETRESET|NOTFOUND)$/,
  /^E(AI_[A-Z]+|ADDRNOTAVAIL|ADDRINUSE|PROTO|NOTCONN|NOBUFS)$/,
  /^UND_ERR_((CONNECT|HEADERS|BODY)_TIMEOUT|HEADERS_OVERFLOW|SOCKET|CLOSED|DESTROYED|RES\w*|REQ_RETRY|PRX_TLS|INFO)$/,
  /^(HPE_\w+|ERR_(SSL|TLS|HTTP2|SOCKET)_\w+|ERR_(PROXY_TUNNEL|STREAM_PREMATURE_CLOSE|NETWORK))$/,
];

/** The messages of `fetch` for a fault of the network; the standard requires only a TypeError, as of a programming error. */
const OF_FETCH: readonly RegExp[] = [
  // Node, Deno, the mocks.
  /^fetch failed\b/,
  // Node, while it reads a body.
  /^terminated$/,
  // Deno.
  /^error (sending request|(reading a|decoding response) body)\b/,
  // Chromium, MSW.
  /^(Failed to fetch\b|network error$)/,
  // Firefox.
  /^NetworkError when attempting to fetch resource/,
  // Safari.
  /^(Load failed$|The network connection was lost|The Internet connection appears to be offline)/,
  // Polyfills.
  /^Network request failed$/,
];
/** Cloudflare Workers, with another name of the error. */
const OF_WORKERS = /^(Network connection lost\.|internal error; reference = \w+)$/;

function isOfNetwork({ name, message, code, syscall, path, type }: Link): boolean {
  if (typeof code === "string" && (OF_NETWORK.some((codes) => codes.test(code)) || isUntrusted(code))) return true;
  if (typeof syscall === "string" && CONNECTING.test(syscall)) return true;
  // Bun adds the URL. Its codes are too many to list.
  if (typeof code === "string" && typeof path === "string" && /^https?:/.test(path)) return true;
  if (name === "TypeError") return OF_FETCH.some((messages) => messages.test(message));
  if (name === "FetchError") return type === "system" || type === "request-timeout" || type === "body-timeout";
  return OF_WORKERS.test(message);
}

/** Deno has no codes. */
const DENO_CONNECTING = /^error sending request for url \(.*\): client error \(Connect\)/;

function isBeforeSending({ code, syscall, message }: Link): boolean {
  if (typeof syscall === "string" && CONNECTING.test(syscall)) return true;
  if (typeof code === "string" && (NEVER_SENT.test(code) || isUntrusted(code))) return true;
  return DENO_CONNECTING.test(message);
}

/** System errors name the host, or the port, that could not be reached. */
function isElsewhere({ hostname, port }: Link, endpoint: URL): boolean {
  if (typeof hostname === "string") return hostname.toLowerCase() !== endpoint.hostname;
  const expected = Number(endpoint.port) || (endpoint.protocol === "https:" ? 443 : 80);
  return typeof port === "number" && port !== expected;
}
