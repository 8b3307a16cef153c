import { ProtocolError, type SocialConnectError, TimeoutError, TransportError } from "./errors.ts";
import { FAULTS } from "./faults.ts";

/** Whether a retry may succeed, given only the transport status. */
export function isTransientFault(error: SocialConnectError): boolean {
  if (TransportError.is(error)) {
    const { problem, proxyStatus } = error;
    return FAULTS[problem].isTransient && (proxyStatus === undefined || isTransientStatus(proxyStatus));
  }
  return TimeoutError.is(error) || (ProtocolError.is(error) && isTransientStatus(error.httpStatus));
}

/**
 * Statuses that ask for a later retry, from the service or a proxy (RFC 9110, section 15.5.9 and 15.6; RFC 6585,
 * section 4). With 526, a proxy refuses the certificate of the service.
 */
export function isTransientStatus(httpStatus: number | undefined): boolean {
  if (httpStatus === undefined) return false;
  return httpStatus === 408 || httpStatus === 429 || (httpStatus >= 500 && httpStatus !== 501 && httpStatus !== 526);
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

/**
 * Full jitter over an exponential bound, so that callers hit by the same fault do not retry together. A Retry-After
 * delay is a lower bound and never shortened.
 */
export function retryDelayMs(attempt: number, error: SocialConnectError, random: () => number): number {
  const spread = random() * Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return error.retryAfterSeconds === undefined ? spread : error.retryAfterSeconds * 1_000 + spread;
}
