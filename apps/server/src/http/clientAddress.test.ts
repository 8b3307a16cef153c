import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { addressNetwork, clientAddress } from "./clientAddress.ts";

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
