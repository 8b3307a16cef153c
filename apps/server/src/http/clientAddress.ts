import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** An IPv4 address in its usual form, even on an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d)/, "");
}

/** Whether an address is in a list of addresses and CIDR ranges. */
export function isTrustedProxy(address: string, trustedProxies: readonly string[]): boolean {
  const plain = withoutZone(address);
  const family = isIP(plain);
  if (family === 0 || trustedProxies.length === 0) return false;
  let networks = NETWORKS.get(trustedProxies);
  if (networks === undefined) {
    networks = networksOf(trustedProxies);
    NETWORKS.set(trustedProxies, networks);
  }
  return networks.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** The parsed form of each list: a process has one, and checks it for each request. */
const NETWORKS = new WeakMap<readonly string[], BlockList>();

function networksOf(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const plain = withoutZone(plainAddress(address));
    const family = isIP(plain) === 4 ? "ipv4" : "ipv6";
    if (prefix === undefined) networks.addAddress(plain, family);
    else networks.addSubnet(plain, Number(prefix), family);
  }
  return networks;
}

/** Longer than the addresses of any chain of proxies. The last ones count, which the nearest proxies added. */
const LONGEST_CHAIN = 1_024;

/** The zone of a link-local address is the name of an interface of this machine. */
function withoutZone(address: string): string {
  return address.split("%", 1)[0] ?? "";
}

/**
 * The address of the client: the connection's or, behind a trusted proxy, the last address in `X-Forwarded-For` that is
 * not a trusted proxy's. Earlier entries can be forged.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  if (!isTrustedProxy(peer, trustedProxies)) return peer;
  const said = (request.headersDistinct["x-forwarded-for"] ?? []).join(",").slice(-LONGEST_CHAIN).split(",");
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
