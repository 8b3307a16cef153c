import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { isTrustedProxy, plainAddress } from "./clientAddress.ts";

/** Without subdomains: other hosts below the same name may still be plain http. */
const STRICT_TRANSPORT_SECURITY = `max-age=${365 * 24 * 60 * 60}`;

/**
 * Whether the client sent the request over https. A trusted proxy says so in exactly one `X-Forwarded-Proto`; from anyone
 * else that header proves nothing, and only the connection counts.
 */
export function isHttps(request: IncomingMessage, trustedProxies: readonly string[]): boolean {
  if (isFromTrustedProxy(request, trustedProxies)) {
    const schemes = request.headersDistinct["x-forwarded-proto"] ?? [];
    return schemes.length === 1 && schemes[0] === "https";
  }
  return (request.socket as Partial<TLSSocket>).encrypted === true;
}

export function isFromTrustedProxy(request: IncomingMessage, trustedProxies: readonly string[]): boolean {
  return isTrustedProxy(plainAddress(request.socket.remoteAddress ?? ""), trustedProxies);
}

/** Over plain http the header must not be sent (RFC 6797, section 7.2). */
export function requireHttpsFromNowOn(
  request: IncomingMessage,
  response: ServerResponse,
  trustedProxies: readonly string[],
): void {
  if (isHttps(request, trustedProxies)) response.setHeader("strict-transport-security", STRICT_TRANSPORT_SECURITY);
}
