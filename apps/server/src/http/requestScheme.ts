import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { isTrustedProxy, plainAddress } from "./clientAddress.ts";

/** Without subdomains: other hosts of the same domain may still use plain HTTP. */
const STRICT_TRANSPORT_SECURITY = `max-age=${365 * 24 * 60 * 60}`;

/**
 * Whether the client sent the request over HTTPS. A trusted proxy reports it in exactly one `X-Forwarded-Proto`; from
 * any other address the header is ignored and the connection decides.
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

/** Over plain HTTP the header must not be sent (RFC 6797, section 7.2). */
export function requireHttpsFromNowOn(
  request: IncomingMessage,
  response: ServerResponse,
  trustedProxies: readonly string[],
): void {
  if (isHttps(request, trustedProxies)) response.setHeader("strict-transport-security", STRICT_TRANSPORT_SECURITY);
}
