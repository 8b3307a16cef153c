import { describe, expect, test } from "vitest";
import { isAnyAddress, localHostProblem, localRequestProblem, type OwnHosts, reachableHost } from "./localRequest.ts";

const OWN: OwnHosts = { names: ["mock"], origins: ["https://mock.example.test"] };
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64)";

function problemOf(headers: Record<string, string>, { method = "POST", own = OWN } = {}) {
  const { host = "127.0.0.1:4010", ...rest } = headers;
  return localRequestProblem({ method, hosts: [host], header: (name) => rest[name] ?? null }, own);
}

describe("the host of a request to a development server", () => {
  test.each([
    "localhost",
    "localhost:4010",
    "127.0.0.1:80",
    "127.8.9.1",
    "[::1]:4010",
    "a.localhost",
    "mock:1",
    "MOCK",
  ])("%s is its own", (host) => expect(localHostProblem([host], OWN)).toBeNull());

  test.each([
    ["a rebound name", "evil.test:4010"],
    ["a name that begins like an own one", "localhost.evil.test"],
    ["a name that begins like an address", "127.0.0.1.evil.test"],
    ["a name that ends like an own one", "evilmock"],
    ["a subdomain of an own name", "evil.mock"],
    ["an own name as user name", "mock@evil.test"],
    ["an own name as path", "evil.test/mock"],
    ["an address of a network", "10.0.0.1:4010"],
    ["nothing", ""],
  ])("%s is not: %s", (_, host) => expect(localHostProblem([host], OWN)).not.toBeNull());

  test("is rejected if it is missing or repeated", () => {
    expect(localHostProblem([], OWN)).toBe("The request needs one valid Host header.");
    expect(localHostProblem(["mock", "localhost"], OWN)).toBe("The request needs one valid Host header.");
  });

  test("is rejected if it is longer than `new URL` accepts", () => {
    const problem = "The request needs one valid Host header.";
    // Node's `URL.canParse` accepts it.
    expect(localHostProblem(["Z".repeat(32_768)], OWN)).toBe(problem);
    expect(localHostProblem([`${"z".repeat(32_767)}:1`], OWN)).not.toBeNull();
  });

  test("may be any address where addresses are accepted, and still no other name", () => {
    const own = { acceptsAddresses: true };
    for (const host of ["10.0.0.1:4010", "[fe80::1]", "0.0.0.0:1"]) expect(localHostProblem([host], own)).toBeNull();
    for (const host of ["evil.test", "10.0.0.1.evil.test", "1.evil"])
      expect(localHostProblem([host], own)).not.toBeNull();
  });
});

describe("a request that changes something on a development server", () => {
  test.each<[string, Record<string, string>]>([
    ["a program", {}],
    [
      "a program that sends a form type",
      { "content-type": "application/x-www-form-urlencoded", "user-agent": "curl/8" },
    ],
    ["a page of the server", { origin: "http://127.0.0.1:4010", "sec-fetch-site": "same-origin" }],
    ["a page of the server behind TLS", { host: "mock:4010", origin: "https://mock:4010" }],
    ["a page of the server behind a proxy", { origin: "https://mock.example.test" }],
    ["the address bar", { "sec-fetch-site": "none", "user-agent": BROWSER }],
    ["a test that drives a browser", { "user-agent": BROWSER, "content-type": "application/json" }],
  ])("is accepted from %s", (_, headers) => expect(problemOf(headers)).toBeNull());

  test.each<[string, Record<string, string>]>([
    ["a rebound name", { host: "evil.test:4010", origin: "http://evil.test:4010", "sec-fetch-site": "same-origin" }],
    ["a rebound name without metadata", { host: "evil.test:4010" }],
    ["another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["another site without metadata", { origin: "https://evil.test" }],
    ["another port", { origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" }],
    ["another name of this machine", { origin: "http://localhost:4010" }],
    ["a subdomain of the same site", { host: "localhost:4010", origin: "http://evil.localhost:4010" }],
    ["the same site without an origin", { "sec-fetch-site": "same-site" }],
    ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["an opaque origin without metadata", { origin: "null" }],
    ["a text form without metadata", { "user-agent": BROWSER, "content-type": "text/plain;charset=UTF-8" }],
    ["a form without metadata", { "user-agent": BROWSER, "content-type": "Multipart/Form-Data; boundary=x" }],
    ["an unknown kind of site", { "sec-fetch-site": "new-kind" }],
  ])("is rejected from %s", (_, headers) => expect(problemOf(headers)).not.toBeNull());

  test("is judged by its host and site if it only reads, because browsers send no origin with it", () => {
    expect(problemOf({ "user-agent": BROWSER }, { method: "GET" })).toBeNull();
    expect(problemOf({ "sec-fetch-site": "same-site" }, { method: "GET" })).not.toBeNull();
    expect(problemOf({ host: "evil.test" }, { method: "GET" })).not.toBeNull();
  });
});

test("a listening address that means every address of the machine is recognized in each notation", () => {
  for (const host of ["0.0.0.0", "::", "0:0:0:0:0:0:0:0", "0", "::ffff:0.0.0.0"])
    expect([host, isAnyAddress(host)]).toEqual([host, true]);
  for (const host of ["127.0.0.1", "::1", "localhost", "10.0.0.0", "mock", ""])
    expect([host, isAnyAddress(host)]).toEqual([host, false]);
});

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["::1", "[::1]"],
  ["fe80::1", "[fe80::1]"],
  ["lan-name", "lan-name"],
])("the URLs of a server that listens at %s have the host %s", (host, expected) => {
  expect(reachableHost(host)).toBe(expected);
});
