import { chainOf, type Link } from "./errorChain.ts";
import type { TransportProblem } from "./faults.ts";
import { proxyRefusalOf } from "./proxyRefusal.ts";
import { type Carried, cleanName } from "./serverText.ts";

/** A fault of the network as `fetch` reports it, without values that could be secret. */
export interface NetworkFault {
  readonly problem: TransportProblem;
  /** The system's error code. */
  readonly systemCode?: string | undefined;
  /** The status with which a proxy refused to open a connection; undefined in runtimes that do not report it. */
  readonly proxyStatus?: number | undefined;
}

/**
 * The fault in an error that `fetch` threw; undefined for any other error, such as a framework's control flow, an abort, or
 * an error of a caller's own `fetch`. Messages may contain secrets: they are compared, never copied.
 */
export function networkFaultOf(error: unknown, endpoint: string, carried: () => Carried): NetworkFault | undefined {
  const chain = chainOf(error);
  if (!chain.some(isOfNetwork)) return undefined;
  const url = new URL(endpoint);
  const coded = chain.find(({ code }) => typeof code === "string" && SYSTEM_CODE.test(code));
  const systemCode = cleanName(coded?.code, SYSTEM_CODE, carried());
  const connecting = connectingInDeno(chain, endpoint);
  const refusal = proxyRefusalOf(chain, connecting);
  if (refusal !== undefined) {
    const { status: proxyStatus } = refusal;
    return { problem: proxyStatus === 407 ? "PROXY_UNAUTHENTICATED" : "PROXY_REFUSED", systemCode, proxyStatus };
  }
  if (connecting?.startsWith("invalid peer certificate") || chain.some(isUntrusted)) {
    return { problem: "CERTIFICATE_REFUSED", systemCode };
  }
  if (connecting !== undefined || chain.some(isConnecting)) {
    return {
      problem: coded !== undefined && isElsewhere(coded, url) ? "PROXY_UNREACHABLE" : "UNREACHABLE",
      systemCode,
    };
  }
  if (coded === undefined) return { problem: "UNKNOWN", systemCode };
  // OpenSSL's codes.
  return { problem: /EPROTO|_SSL_/.test(String(coded.code)) ? "TLS_FAILED" : "NO_RESPONSE", systemCode };
}

/**
 * The fault in an error that a response's body threw. The response had started, so the request was received, even if the
 * error has the code of a failed connection. The Fetch standard has no other errors of a body than TypeErrors.
 */
export function bodyFaultOf(error: unknown, endpoint: string, carried: () => Carried): NetworkFault | undefined {
  const fault = networkFaultOf(error, endpoint, carried);
  if (fault === undefined && chainOf(error)[0]?.name !== "TypeError") return undefined;
  return { problem: "RESPONSE_CUT", systemCode: fault?.systemCode };
}

/** The server's certificate is not trusted: nothing was sent, and a retry would fail in the same way. */
function isUntrusted({ code }: Link): boolean {
  return typeof code === "string" && UNTRUSTED.test(code);
}

/** The formats of Node, undici and Bun. */
const SYSTEM_CODE = /^([A-Z][A-Z0-9_]{1,38}|[A-Z][A-Za-z]{1,30})$/;
const UNTRUSTED =
  /^(CERT_[A-Z_]+|UNABLE_TO_[A-Z_]+|(DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/;
const NEVER_SENT = /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_[A-Z]+|UND_ERR_CONNECT_TIMEOUT)$/;
const CONNECTING = /^(connect|getaddrinfo|query[A-Z]\w*)$/;

/** Codes of sockets, TLS and HTTP in Node, undici and axios. Other libraries have codes for errors of any kind. */
const NETWORK_MESSAGE =
  /^(E(CONN|PIPE|(SOCKET)?TIMED?OUT|NET|HOST|NOT(FOUND|CONN)|AI_|ADDR|PROTO|NOBUFS)|UND_ERR_(?!ABORT|INVALID|NOT_|REQ_C|BPL)|HPE_|ERR_(SSL|TLS|HTTP2|SOCKET|PROXY_TUNNEL|STREAM_PREMATURE|NETWORK))\w*$/;

/**
 * The messages of `fetch` for a fault of the network in Node, Deno, the mocks, Chromium, MSW and polyfills; the standard
 * requires only a TypeError, as of a programming error.
 */
const FETCH_MESSAGE =
  /^(fetch failed\b|terminated$|error (sending request|(reading a|decoding response) body)\b|Failed to fetch\b|network error$|Network request failed$)/;

/** Cloudflare Workers, with another name of the error. */
const WORKERS_MESSAGE = /^(Network connection lost\.|internal error; reference = \w+)$/;

function isOfNetwork({ name, message, code, syscall, path, type }: Link): boolean {
  if (typeof code === "string" && (NETWORK_MESSAGE.test(code) || UNTRUSTED.test(code))) return true;
  if (typeof syscall === "string" && CONNECTING.test(syscall)) return true;
  // Bun adds the URL. Its codes are too many to list.
  if (typeof code === "string" && typeof path === "string" && /^https?:/.test(path)) return true;
  if (name === "TypeError") return FETCH_MESSAGE.test(message);
  if (name === "FetchError") return type === "system" || type === "request-timeout" || type === "body-timeout";
  return WORKERS_MESSAGE.test(message);
}

/** Why Deno could not connect. It has no codes: its text counts only if it is a TypeError's and names the URL of the request. */
function connectingInDeno([first, cause]: readonly Link[], endpoint: string): string | undefined {
  const step = `error sending request for url (${endpoint}): client error (Connect): `;
  const text = [first, cause].find((link) => link?.message.startsWith(step))?.message;
  return first?.name === "TypeError" ? text?.slice(step.length) : undefined;
}

/** Only an error before the first byte of a request has these properties. */
function isConnecting({ code, syscall }: Link): boolean {
  return (
    (typeof syscall === "string" && CONNECTING.test(syscall)) || (typeof code === "string" && NEVER_SENT.test(code))
  );
}

/** System errors name the host, or the port, that could not be reached. */
function isElsewhere({ hostname, port }: Link, endpoint: URL): boolean {
  if (typeof hostname === "string") return hostname.toLowerCase() !== endpoint.hostname;
  const expected = Number(endpoint.port) || (endpoint.protocol === "https:" ? 443 : 80);
  return typeof port === "number" && port !== expected;
}
