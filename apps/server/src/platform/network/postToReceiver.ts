import { Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { EVENT_LIMITS } from "@social-connect/contract";
import {
  type DeliveryProblem,
  isLoopbackHost,
  isPublicAddress,
  literalAddress,
  problemOfStatus,
  type ReceiverRules,
  receiverAddressProblem,
} from "@social-connect/domain";

/** Far above the headers of servers and proxies; the rest of an answer is not read. */
const MAX_HEADER_BYTES = 8_192;
/** Interim responses (RFC 9110, section 15.2), which a receiver has no reason to send. */
const MAX_INTERIM = 8;

export interface ReceiverOptions extends ReceiverRules {
  readonly timeoutMs?: number;
  /** The addresses of a name; replaced in tests, like `isPublic`. */
  readonly resolve?: (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly isPublic?: (address: string) => boolean;
}

export interface ReceiverAnswer {
  /** null: there was no answer. */
  readonly status: number | null;
  /** null: the receiver answered with 2xx. */
  readonly problem: DeliveryProblem | null;
  readonly retryAfter: string | null;
  /** The system's or the library's error code, for the log. */
  readonly cause: string | null;
}

class ReceiverError extends Error {
  readonly problem: DeliveryProblem;

  constructor(problem: DeliveryProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Sends a request to an address that an application's owner chose, so that it cannot reach what is private, and takes a bounded time
 * and memory whatever answers. Resolves the name once and connects only to the addresses that were checked. Follows no redirect,
 * and opens a connection for each request: a kept one could end while it is used. Never rejects.
 *
 * The status decides: a receiver whose body does not end has the event. Not `fetch`, which has no way to pin an address or
 * to bound headers without another library; and no proxy of the machine, which would resolve the name again.
 */
export async function postToReceiver(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { timeoutMs = EVENT_LIMITS.timeoutSeconds * 1_000, ...options }: ReceiverOptions,
): Promise<ReceiverAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    if (receiverAddressProblem(url, options) !== null) throw new ReceiverError("PRIVATE_ADDRESS");
    const target = new URL(url);
    const addresses = await untilAborted(addressesOf(target, options, deadline), deadline);
    const { status, retryAfter } = await post(target, addresses, headers, body, deadline);
    return { status, problem: problemOfStatus(status), retryAfter, cause: null };
  } catch (error) {
    const problem = deadline.aborted ? "TIMEOUT" : problemOf(error);
    return { status: null, problem, retryAfter: null, cause: codeOf(error) };
  }
}

async function addressesOf(
  target: URL,
  { allowLoopback, resolve = resolveName, isPublic = isPublicAddress }: ReceiverOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalAddress(target);
  if (allowLoopback && isLoopbackHost(target.hostname)) return literal === null ? ["127.0.0.1", "::1"] : [literal];
  const addresses = literal === null ? await resolve(target.hostname, signal) : [literal];
  if (addresses.length === 0) throw new ReceiverError("NAME");
  // Also if only one is private: the connection could choose it.
  if (!addresses.every(isPublic)) throw new ReceiverError("PRIVATE_ADDRESS");
  return addresses;
}

/** Uses only DNS, and no thread of the process: four names whose servers do not answer would take all that Node has. */
async function resolveName(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  signal.addEventListener("abort", () => resolver.cancel(), { once: true });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (addresses.length > 0) return addresses;
  const isLocal = found.every((each) => each.status === "rejected" && each.reason.code === "ECONNREFUSED");
  throw new ReceiverError(isLocal ? "LOCAL" : "NAME");
}

function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function post(
  target: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly retryAfter: string | null }> {
  const send = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(target, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      lookup: pinnedTo(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    });
    let answer: { readonly status: number; readonly retryAfter: string | null } | null = null;
    const end = (error: Error = new ReceiverError("CONNECTION")) => {
      if (answer === null) reject(error);
      else resolve(answer);
      request.destroy();
    };
    let interim = 0;
    request.on("information", () => {
      interim += 1;
      if (interim > MAX_INTERIM) end(new ReceiverError("ANSWER"));
    });
    request.on("response", (response) => {
      answer = { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null };
      let bytes = 0;
      // A server whose answer is read to its end does not take it for an aborted one.
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
        if (bytes > EVENT_LIMITS.answerBytes) end();
      });
      response.on("end", () => end());
      response.on("error", end);
    });
    request.on("error", end);
    request.on("close", () => end());
    request.end(body);
  });
}

function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? "", found[0]?.family);
  };
}

const LOCAL = /^(?:ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPERM|EACCES|EMFILE|ENFILE|ENOBUFS|ENOMEM)$/;
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|INVALID_|PATH_LENGTH)/;

function problemOf(error: unknown): DeliveryProblem {
  if (error instanceof ReceiverError) return error.problem;
  const code = codeOf(error) ?? "";
  if (code.startsWith("HPE_")) return "ANSWER";
  if (LOCAL.test(code)) return "LOCAL";
  return TLS.test(code) ? "TLS" : "CONNECTION";
}

/** The message can contain the address. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
