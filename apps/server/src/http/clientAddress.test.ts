import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { addressNetwork, clientAddress, isTrustedProxy } from "./clientAddress.ts";

const request = (peer: string, ...forwarded: string[]) =>
  ({
    socket: { remoteAddress: peer },
    headersDistinct: forwarded.length > 0 ? { "x-forwarded-for": forwarded } : {},
  }) as unknown as IncomingMessage;
const PROXIES = ["10.0.0.1", "10.0.0.2"];

test.each([
  ["a client without a proxy", request("192.0.2.7"), "192.0.2.7"],
  ["an IPv4 client on an IPv6 socket", request("::ffff:192.0.2.7"), "192.0.2.7"],
  ["a client that claims another address", request("192.0.2.7", "198.51.100.1"), "192.0.2.7"],
  ["a trusted proxy", request("10.0.0.1", "192.0.2.7"), "192.0.2.7"],
  ["a client that claims another address through a proxy", request("10.0.0.1", "198.51.100.1, 192.0.2.7"), "192.0.2.7"],
  ["two trusted proxies", request("10.0.0.1", "192.0.2.7, 10.0.0.2"), "192.0.2.7"],
  ["two headers", request("10.0.0.1", "198.51.100.1", "192.0.2.7"), "192.0.2.7"],
  ["a trusted proxy without a forwarding header", request("10.0.0.1"), "10.0.0.1"],
  ["nonsense", request("10.0.0.1", "192.0.2.7, <script>"), "10.0.0.1"],
])("the address of %s", (_, incoming, expected) => {
  expect(clientAddress(incoming, PROXIES)).toBe(expected);
});

test.each([
  ["an address outside of every range", "10.2.0.1", false],
  ["an address", "192.0.2.7", true],
  ["the first address of a range", "10.1.0.0", true],
  ["the last address of a range", "10.1.255.255", true],
  ["an address below a range", "10.0.255.255", false],
  ["an IPv6 address in another spelling", "2001:0db8:0:0:0:0:0:1", true],
  ["an IPv6 address in a range", "2001:db8:5:6::9", true],
  ["an IPv6 address outside of a range", "2001:db8:6::9", false],
  ["a link-local address, with the zone of its interface", "fe80::7%eth1", true],
  ["an address that was written in the form of IPv6", "198.51.100.4", true],
  ["no address", "", false],
  ["a host name", "proxy.example.com", false],
])("a list of addresses and CIDR ranges: %s", (_, address, expected) => {
  const list = ["192.0.2.7", "10.1.0.0/16", "2001:db8::1", "2001:db8:5::/48", "fe80::7", "::ffff:198.51.100.4"];
  expect(isTrustedProxy(address, list)).toBe(expected);
  expect(isTrustedProxy(address, [])).toBe(false);
});

test("the client behind two proxies of a trusted range is the last address outside of it", () => {
  const incoming = request("::ffff:10.1.0.9", "203.0.113.5, 192.0.2.7, 10.1.4.4");
  expect(clientAddress(incoming, ["10.1.0.0/16"])).toBe("192.0.2.7");
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("a limit counts %s as %s", (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
