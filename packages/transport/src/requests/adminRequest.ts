import { isLoopbackName } from "@social-connect/domain";

/** Header in which a page of the panel sends its CSRF token. */
export const CSRF_HEADER = "x-csrf-token";

export interface Arrival {
  /** Every Host header. */
  readonly hosts: readonly string[];
  /** Names of all headers, in lower case. */
  readonly headerNames: readonly string[];
  /** By the connection itself, or by the word of a trusted proxy. */
  readonly cameOverHttps: boolean;
  readonly isFromTrustedProxy: boolean;
  readonly isFromLoopback: boolean;
}

/**
 * Why a request must not reach the admin side the way it arrived; null when it may. It must name the deployment's admin
 * host and use HTTPS. Plain HTTP is allowed from loopback if the admin host is an http URL on loopback. From anyone but a
 * trusted proxy, a forwarding header means that the request is not what it seems to be.
 * Source: service description, part 4; `docs/explanation/admin-access.md`.
 */
export function adminTransportProblem(adminHost: string, arrival: Arrival): string | null {
  const { hosts, headerNames, cameOverHttps, isFromTrustedProxy, isFromLoopback } = arrival;
  const adminUrl = new URL(adminHost);
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== adminUrl.host) return "wrong host";
  if (isFromTrustedProxy) return cameOverHttps ? null : "the proxy did not receive it over HTTPS";
  if (headerNames.some((name) => name === "forwarded" || name.startsWith("x-forwarded-"))) {
    return "forwarded by an untrusted proxy";
  }
  const isPlainAllowed = adminUrl.protocol === "http:" && isLoopbackName(adminUrl.hostname) && isFromLoopback;
  return cameOverHttps || isPlainAllowed ? null : "plain HTTP";
}

export interface AdminHeaders {
  readonly authorization: readonly string[];
  readonly hasCookie: boolean;
  readonly origin: readonly string[];
}

/** Why the headers of a request with an API key are refused: a cookie, or a second key. Source: service description, part 4. */
export function apiHeadersProblem({ authorization, hasCookie }: AdminHeaders): string | null {
  if (hasCookie) return "a cookie was sent";
  return authorization.length > 1 ? "two Authorization headers were sent" : null;
}

/** The same for a request of the panel, which comes from the panel's own origin and without a key. */
export function panelHeadersProblem({ authorization, origin }: AdminHeaders, adminHost: string): string | null {
  if (origin.length !== 1 || origin[0] !== new URL(adminHost).origin) return "wrong or missing Origin header";
  return authorization.length > 0 ? "an Authorization header was sent to the panel" : null;
}
