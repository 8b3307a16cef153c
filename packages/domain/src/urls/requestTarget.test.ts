import { expect, test } from "vitest";
import { takeAbsoluteTarget } from "./requestTarget.ts";

function taken(url: string, hosts = ["other.example"]) {
  const request = { url, headers: { host: hosts[0] }, headersDistinct: { host: hosts } };
  const host = takeAbsoluteTarget(request);
  return [host, request.url, request.headers.host, request.headersDistinct.host.length];
}

test.each([
  ["http://127.0.0.1:4400/graphql", "127.0.0.1:4400", "/graphql"],
  ["HTTPS://connect.example/api/connect/redeem?a=http://b/c", "connect.example", "/api/connect/redeem?a=http://b/c"],
  ["http://[::1]:4400/x/../y%2f", "[::1]:4400", "/x/../y%2f"],
  ["http://localhost", "localhost", "/"],
  ["http://localhost?x=1", "localhost", "/?x=1"],
  ["http://localhost//graphql", "localhost", "//graphql"],
  ["http://user:secret@localhost/graphql", "user:secret@localhost", "/graphql"],
])("%s names the host %s", (url, host, path) => {
  expect(taken(url)).toEqual([host, path, host, 1]);
});

test.each(["/graphql", "/x?y=http://z/", "//host/graphql", "*", ""])("%s is not in absolute form", (url) => {
  expect(taken(url)).toEqual([null, url, "other.example", 1]);
});

test.each(["ftp://localhost/graphql", "http:/graphql", "http://localhost/graphql#x", "localhost:4400", "http:"])(
  "%s is invalid",
  (url) => {
    expect(taken(url)).toEqual(["", url, "other.example", 1]);
  },
);

test("several Host headers stay", () => {
  expect(taken("http://localhost/", ["one.example", "two.example"])).toEqual(["localhost", "/", "one.example", 2]);
});
