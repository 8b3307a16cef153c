import { isLoopbackHost } from "../urls/origin.ts";
import { parseUrl } from "../urls/parseUrl.ts";

/**
 * Ranges that are not public: the special-purpose addresses of IANA (RFC 6890) that do not reach the internet, multicast, reserved
 * ones, and the address at which Azure's machines reach their host.
 */
const NOT_PUBLIC_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map((range) => {
  const [base = "", bits = ""] = range.split("/");
  return { base: ipv4Number(base), size: 2 ** (32 - Number(bits)) };
});

/** Parts of 2000::/3 that are not public, or that carry an IPv4 address: 2001::/23 with Teredo, examples, and 6to4. */
const NOT_PUBLIC_IPV6 = /^(?:2001:(?:1?[0-9a-f]{0,2}|db8):|2002:|3fff:[0-9a-f]{0,3}:)/;

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Whether an IP address, as a resolver writes it, is public. Only 2000::/3 is among IPv6, so mapped addresses, NAT64, unique local,
 * link-local, site-local and multicast ones are not.
 */
export function isPublicAddress(address: string): boolean {
  if (IPV4.test(address)) {
    const number = ipv4Number(address);
    return !NOT_PUBLIC_IPV4.some(({ base, size }) => number >= base && number < base + size);
  }
  // The parser writes an IPv6 address in its shortest form, and refuses other text and an address with a zone.
  const ipv6 = parseUrl(`http://[${address}]/`)?.hostname.slice(1, -1) ?? "";
  return /^[23][0-9a-f]{3}:/.test(ipv6) && !NOT_PUBLIC_IPV6.test(ipv6);
}

/** The IP address that is the host of a URL, without brackets; null for a name. */
export function literalAddress({ hostname }: URL): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return IPV4.test(hostname) ? hostname : null;
}

export interface ReceiverRules {
  /** In the sandbox, a receiver on this machine may get events, also by plain http. */
  readonly allowLoopback: boolean;
}

/**
 * Why an event must not be sent to `url`, as far as the URL shows it, as text for people; null if it may. The addresses of a name
 * are checked when it is resolved. The parser has rewritten each spelling of an IPv4 address, such as `0x7f.1`.
 */
export function receiverAddressProblem(url: string, { allowLoopback }: ReceiverRules): string | null {
  const parsed = parseUrl(url);
  if (parsed === null) return "The address must be a full https address.";
  if (isLoopbackHost(parsed.hostname) && allowLoopback) return null;
  if (parsed.protocol !== "https:") return "The address must be https.";
  const { hostname } = parsed;
  const literal = literalAddress(parsed);
  const isPublic = literal === null ? !/(?:^|\.)localhost\.?$/.test(hostname) : isPublicAddress(literal);
  return isPublic ? null : "The address must be public.";
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((number, byte) => number * 256 + Number(byte), 0);
}
