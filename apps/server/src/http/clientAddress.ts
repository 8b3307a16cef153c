import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** An IPv4 address in its usual form, even on an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d)/, "");
}

export function isTrustedProxy(address: string, trustedProxies: readonly string[]): boolean {
  return trustedProxies.some((proxy) => plainAddress(proxy) === address);
}

/**
 * The address of the client: the connection's or, behind a trusted proxy, the last address in `X-Forwarded-For` that is
 * not a trusted proxy's. Earlier entries can be forged.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  if (!isTrustedProxy(peer, trustedProxies)) return peer;
  const said = (request.headersDistinct["x-forwarded-for"] ?? []).join(",").split(",");
  let client = peer;
  for (const entry of said.map((text) => plainAddress(text.trim())).reverse()) {
    if (isIP(entry) === 0) return client;
    client = entry;
    if (!isTrustedProxy(entry, trustedProxies)) return client;
  }
  return client;
}

/**
 * The key of a rate limit: an IPv4 address, or the /64 network of an IPv6 address, which is what one household gets.
 */
export function addressNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}

export function callerAddress(
  request: IncomingMessage,
  { trustedProxies }: { readonly trustedProxies: readonly string[] },
): { readonly address: string; readonly network: string } {
  const address = clientAddress(request, trustedProxies);
  return { address, network: addressNetwork(address) };
}
