import { describe, expect, test } from "vitest";
import { isPublicAddress, receiverAddressProblem } from "./receiverAddress.ts";

const LIVE = { allowLoopback: false };
const SANDBOX = { allowLoopback: true };

test.each(["1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.32.0.1", "223.255.255.255"])(
  "%s is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  "2606:4700:4700::1111",
  "2a00:1450:4001:82a::200e",
  "2001:4860:4860::8888",
  "2001:200::1",
  "2001:db9::1",
  "2620:0:0:0:0:0:0:1",
  "3fff:1000::1",
])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  ["this network", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.255.255.255"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["shared by a carrier", "100.64.0.1"],
  ["metadata in the shared range", "100.100.100.200"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["metadata", "169.254.169.254"],
  ["metadata", "168.63.129.16"],
  ["metadata", "192.0.0.192"],
  ["an example", "192.0.2.1"],
  ["an example", "203.0.113.9"],
  ["a benchmark", "198.19.0.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["mapped", "::ffff:127.0.0.1"],
  ["mapped", "::ffff:808:808"],
  ["compatible", "::127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local NAT64", "64:ff9b:1::1"],
  ["discarded", "100::1"],
  ["Teredo", "2001::1"],
  ["ORCHID", "2001:20::1"],
  ["reserved for protocols", "2001:1ff:ffff::1"],
  ["an example", "2001:db8::1"],
  ["6to4 of a private address", "2002:a00:1::"],
  ["an example", "3fff:0:1::"],
  ["an example", "3fff:fff::1"],
  ["unique local", "fc00::1"],
  ["metadata", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["text", "localhost"],
  ["text", ""],
])("%s is not public: %s", (_, address) => expect(isPublicAddress(address)).toBe(false));

describe("an endpoint", () => {
  test.each(["https://hooks.example/path", "https://1.1.1.1/", "https://[2606:4700:4700::1111]/hooks"])(
    "may be %s",
    (url) => expect(receiverAddressProblem(url, LIVE)).toBeNull(),
  );

  test.each([
    "http://hooks.example/",
    "https://localhost/",
    "https://localhost./",
    "https://app.localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.0.0.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://169.254.169.254/latest/meta-data",
    "ftp://hooks.example/",
    "hooks.example",
  ])("may not be %s", (url) => expect(receiverAddressProblem(url, LIVE)).not.toBeNull());

  test("may be on this machine in the sandbox, and nowhere else in private", () => {
    for (const url of ["http://localhost:3000/events", "http://127.0.0.1:3000/", "https://[::1]:3000/"]) {
      expect(receiverAddressProblem(url, SANDBOX)).toBeNull();
    }
    for (const url of ["http://hooks.example/", "https://10.0.0.1/", "https://169.254.169.254/"]) {
      expect(receiverAddressProblem(url, SANDBOX)).not.toBeNull();
    }
  });
});
